ALTER TABLE "loop_failures" ADD COLUMN "document_id" text;--> statement-breakpoint
ALTER TABLE "loop_progress" ADD COLUMN "entered" jsonb;--> statement-breakpoint
ALTER TABLE "loop_progress" ADD COLUMN "document_id" text;