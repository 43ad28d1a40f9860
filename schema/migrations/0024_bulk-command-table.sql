CREATE TABLE "bulk_commands" (
	"id" uuid PRIMARY KEY NOT NULL,
	"principal" text NOT NULL,
	"request_id" text NOT NULL,
	"action" text NOT NULL,
	"query" jsonb NOT NULL,
	"query_limit" integer,
	"work" jsonb NOT NULL,
	"bucket_size" integer NOT NULL,
	"batch_size" integer NOT NULL,
	"rate" integer,
	"state" text DEFAULT 'SCHEDULED' NOT NULL,
	"collected" integer DEFAULT 0 NOT NULL,
	"last_id" text,
	"processed" integer DEFAULT 0 NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"failures" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"error" text,
	"is_started" boolean DEFAULT false NOT NULL,
	"submitted_at" timestamp with time zone DEFAULT now() NOT NULL,
	"scroll_started_at" timestamp with time zone,
	"scroll_ended_at" timestamp with time zone,
	"completed_at" timestamp with time zone
);
--> statement-breakpoint
CREATE INDEX "bulk_commands_waiting" ON "bulk_commands" USING btree ("submitted_at") WHERE NOT is_started;--> statement-breakpoint
CREATE INDEX "bulk_commands_completed" ON "bulk_commands" USING btree ("completed_at") WHERE completed_at IS NOT NULL;