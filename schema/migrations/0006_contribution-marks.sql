DROP INDEX "contributions_created";--> statement-breakpoint
CREATE INDEX "contributions_marks" ON "contributions" USING btree ("created_at");