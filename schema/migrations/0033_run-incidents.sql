CREATE TABLE "loop_failures" (
	"workflow_id" text NOT NULL,
	"step" text NOT NULL,
	"position" integer NOT NULL,
	"status" integer NOT NULL,
	"message" text NOT NULL,
	CONSTRAINT "loop_failures_workflow_id_step_position_pk" PRIMARY KEY("workflow_id","step","position")
);
--> statement-breakpoint
CREATE TABLE "run_incidents" (
	"workflow_id" text COLLATE "C" NOT NULL,
	"step" text NOT NULL,
	"ordinal" integer NOT NULL,
	"incident" jsonb NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "run_incidents_workflow_id_step_ordinal_pk" PRIMARY KEY("workflow_id","step","ordinal")
);
--> statement-breakpoint
ALTER TABLE "loop_progress" ADD COLUMN "total" integer;--> statement-breakpoint
ALTER TABLE "loop_progress" ADD COLUMN "stopped" jsonb;--> statement-breakpoint
ALTER TABLE "loop_failures" ADD CONSTRAINT "loop_failures_loop" FOREIGN KEY ("workflow_id","step") REFERENCES "public"."loop_progress"("workflow_id","step") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "run_incidents_at" ON "run_incidents" USING btree ("at");