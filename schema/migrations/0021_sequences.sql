CREATE TABLE "sequences" (
	"key" text PRIMARY KEY NOT NULL,
	"last" bigint NOT NULL
);
--> statement-breakpoint
DROP INDEX "acl_scopes_acl";--> statement-breakpoint
DROP INDEX "documents_scope";--> statement-breakpoint
CREATE INDEX "acl_scopes_acl" ON "acl_scopes" USING btree ("acl_id","id");--> statement-breakpoint
CREATE INDEX "documents_scope" ON "documents" USING btree ("scope_id","type");