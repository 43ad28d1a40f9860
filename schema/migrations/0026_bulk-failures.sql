CREATE TABLE "bulk_failures" (
	"command_id" uuid NOT NULL,
	"position" integer NOT NULL,
	"document_id" uuid NOT NULL,
	"status" integer NOT NULL,
	"message" text NOT NULL,
	CONSTRAINT "bulk_failures_command_id_position_pk" PRIMARY KEY("command_id","position")
);
--> statement-breakpoint
ALTER TABLE "bulk_commands" ADD COLUMN "repairs" uuid;--> statement-breakpoint
ALTER TABLE "bulk_failures" ADD CONSTRAINT "bulk_failures_command_id_bulk_commands_id_fk" FOREIGN KEY ("command_id") REFERENCES "public"."bulk_commands"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "bulk_failures_document" ON "bulk_failures" USING btree ("command_id","document_id");