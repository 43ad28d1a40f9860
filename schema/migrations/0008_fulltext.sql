CREATE TABLE "document_texts" (
	"document_id" uuid PRIMARY KEY NOT NULL,
	"words" "tsvector" NOT NULL,
	"binary_words" "tsvector"
);
--> statement-breakpoint
CREATE TABLE "fulltext_fields" (
	"owner" text PRIMARY KEY NOT NULL,
	"a" text[] NOT NULL,
	"b" text[] NOT NULL,
	"c" text[] NOT NULL,
	"nested_keys" text[] NOT NULL,
	"nested_paths" jsonpath[] NOT NULL
);
--> statement-breakpoint
DROP INDEX "documents_type";--> statement-breakpoint
CREATE INDEX "document_texts_words" ON "document_texts" USING gin ("words");--> statement-breakpoint
CREATE INDEX "document_acls_username" ON "document_acls" USING btree ("username");--> statement-breakpoint
CREATE INDEX "documents_trashed" ON "documents" USING btree ("id") WHERE is_trashed or lifecycle_state = 'deleted';--> statement-breakpoint
CREATE INDEX "documents_modified" ON "documents" USING btree (((properties ->> 'dc:modified') COLLATE "C"));--> statement-breakpoint
CREATE INDEX "documents_title" ON "documents" USING btree ((left(properties ->> 'dc:title', 200) COLLATE "C"));--> statement-breakpoint
CREATE INDEX "documents_type" ON "documents" USING btree ("type","lifecycle_state");