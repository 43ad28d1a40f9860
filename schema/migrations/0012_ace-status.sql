ALTER TABLE "document_acls" ADD COLUMN "status" smallint;--> statement-breakpoint
ALTER TABLE "document_acls" ADD COLUMN "notify" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "document_acls" ADD COLUMN "comment" text;--> statement-breakpoint
CREATE INDEX "document_acls_dated" ON "document_acls" USING btree ("document_id") WHERE begins_at is not null or ends_at is not null;