CREATE TABLE "route_escalations" (
	"id" serial PRIMARY KEY NOT NULL,
	"route_id" uuid NOT NULL,
	"node" text NOT NULL,
	"rule" text NOT NULL,
	"error" text,
	"executed_at" timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE "routes" (
	"id" uuid PRIMARY KEY NOT NULL,
	"model_id" text NOT NULL,
	"initiator" text NOT NULL,
	"status" text NOT NULL,
	"model" jsonb NOT NULL,
	"state" jsonb NOT NULL,
	"document_ids" jsonb NOT NULL,
	"parent_id" uuid,
	"parent_node" text,
	"revision" integer DEFAULT 0 NOT NULL,
	"followed" integer DEFAULT -1 NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone
);

ALTER TABLE "route_escalations" ADD CONSTRAINT "route_escalations_route_id_routes_id_fk" FOREIGN KEY ("route_id") REFERENCES "public"."routes"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "routes" ADD CONSTRAINT "routes_id_documents_id_fk" FOREIGN KEY ("id") REFERENCES "public"."documents"("id") ON DELETE cascade ON UPDATE no action;
CREATE INDEX "route_escalations_route" ON "route_escalations" USING btree ("route_id");
CREATE INDEX "routes_unfollowed" ON "routes" USING btree ("id") WHERE followed < revision;
CREATE INDEX "routes_running" ON "routes" USING btree ("started_at") WHERE status = 'running';