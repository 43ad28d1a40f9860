CREATE TABLE "audit_entries" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_entries_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"event_id" text NOT NULL,
	"category" text,
	"principal_name" text,
	"comment" text,
	"doc_life_cycle" text,
	"doc_path" text,
	"doc_type" text,
	"doc_uuid" text,
	"repository_id" text,
	"event_date" timestamp with time zone NOT NULL,
	"log_date" timestamp with time zone DEFAULT now() NOT NULL,
	"extended" jsonb NOT NULL
);

CREATE INDEX "audit_of_document" ON "audit_entries" USING btree ("doc_uuid","event_date");
CREATE INDEX "audit_by_date" ON "audit_entries" USING btree ("event_date","id");