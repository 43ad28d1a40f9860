CREATE TABLE "media_tasks" (
	"document_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"digest" text NOT NULL,
	"source" jsonb NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"result" jsonb,
	"error" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "media_tasks_document_id_kind_pk" PRIMARY KEY("document_id","kind")
);

ALTER TABLE "media_tasks" ADD CONSTRAINT "media_tasks_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE cascade ON UPDATE no action;
CREATE INDEX "media_tasks_digest" ON "media_tasks" USING btree ("kind","digest");
CREATE INDEX "media_tasks_waiting" ON "media_tasks" USING btree ("created_at") WHERE state = 'waiting';