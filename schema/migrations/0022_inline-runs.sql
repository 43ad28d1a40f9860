CREATE TABLE "inline_runs" (
	"run_id" text PRIMARY KEY NOT NULL,
	"chain_id" text NOT NULL,
	"principal" text NOT NULL,
	"request_id" text NOT NULL,
	"document_id" text,
	"title" text NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"closed_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"failure" jsonb,
	"request" jsonb
);
--> statement-breakpoint
CREATE INDEX "inline_runs_closed" ON "inline_runs" USING btree ("closed_at","run_id");--> statement-breakpoint
CREATE INDEX "inline_runs_principal" ON "inline_runs" USING btree ("principal","closed_at","run_id");