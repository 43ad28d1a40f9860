CREATE TABLE "acls" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "acls_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"fingerprint" text NOT NULL,
	"entries" jsonb NOT NULL,
	"browsers" text[] NOT NULL,
	"is_plain" boolean NOT NULL,
	CONSTRAINT "acls_fingerprint_unique" UNIQUE("fingerprint")
);
--> statement-breakpoint
CREATE TABLE "document_acls" (
	"document_id" uuid NOT NULL,
	"acl" text NOT NULL,
	"position" integer NOT NULL,
	"username" text NOT NULL,
	"permission" text NOT NULL,
	"granted" boolean NOT NULL,
	"creator" text,
	"begins_at" timestamp with time zone,
	"ends_at" timestamp with time zone,
	CONSTRAINT "document_acls_document_id_position_pk" PRIMARY KEY("document_id","position")
);
--> statement-breakpoint
CREATE TABLE "documents" (
	"id" uuid PRIMARY KEY NOT NULL,
	"parent_id" uuid,
	"name" text NOT NULL,
	"path" text COLLATE "C",
	"position" integer,
	"type" text NOT NULL,
	"facets" text[] DEFAULT '{}' NOT NULL,
	"lifecycle_state" text,
	"is_version" boolean DEFAULT false NOT NULL,
	"is_proxy" boolean DEFAULT false NOT NULL,
	"is_checked_in" boolean DEFAULT false NOT NULL,
	"is_trashed" boolean DEFAULT false NOT NULL,
	"major_version" integer DEFAULT 0 NOT NULL,
	"minor_version" integer DEFAULT 0 NOT NULL,
	"version_series_id" uuid,
	"version_label" text,
	"version_description" text,
	"version_created_at" timestamp with time zone,
	"is_latest_version" boolean DEFAULT false NOT NULL,
	"is_latest_major_version" boolean DEFAULT false NOT NULL,
	"base_version_id" uuid,
	"lock_owner" text,
	"locked_at" timestamp with time zone,
	"system_token" integer DEFAULT 0 NOT NULL,
	"user_token" integer DEFAULT 0 NOT NULL,
	"acl_id" integer NOT NULL,
	"properties" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "outbox_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"event" text NOT NULL,
	"document_id" uuid,
	"principal" text NOT NULL,
	"payload" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"transaction_id" text DEFAULT pg_current_xact_id()::text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "group_members" (
	"groupname" text NOT NULL,
	"member" text NOT NULL,
	"kind" text NOT NULL,
	CONSTRAINT "group_members_groupname_kind_member_pk" PRIMARY KEY("groupname","kind","member")
);
--> statement-breakpoint
CREATE TABLE "groups" (
	"groupname" text PRIMARY KEY NOT NULL,
	"label" text,
	"description" text
);
--> statement-breakpoint
CREATE TABLE "users" (
	"username" text PRIMARY KEY NOT NULL,
	"password_hash" text,
	"first_name" text,
	"last_name" text,
	"email" text,
	"company" text,
	"properties" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"is_enabled" boolean DEFAULT true NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "loop_progress" (
	"workflow_id" text NOT NULL,
	"step" text NOT NULL,
	"position" integer NOT NULL,
	"failed" integer DEFAULT 0 NOT NULL,
	"failures" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"variables" jsonb,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "loop_progress_workflow_id_step_pk" PRIMARY KEY("workflow_id","step")
);
--> statement-breakpoint
CREATE TABLE "receipts" (
	"workflow_id" text NOT NULL,
	"step" text NOT NULL,
	"result" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "receipts_workflow_id_step_pk" PRIMARY KEY("workflow_id","step")
);
--> statement-breakpoint
CREATE TABLE "transient_entries" (
	"key" text NOT NULL,
	"chunk" integer DEFAULT 0 NOT NULL,
	"value" jsonb NOT NULL,
	"bytes" bigint NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "transient_entries_key_chunk_pk" PRIMARY KEY("key","chunk")
);
--> statement-breakpoint
CREATE TABLE "contributions" (
	"point" text NOT NULL,
	"name" text NOT NULL,
	"version" integer NOT NULL,
	"source" text NOT NULL,
	"format" text NOT NULL,
	"content" jsonb NOT NULL,
	"is_deleted" boolean DEFAULT false NOT NULL,
	"author" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "contributions_point_name_version_pk" PRIMARY KEY("point","name","version")
);
--> statement-breakpoint
ALTER TABLE "document_acls" ADD CONSTRAINT "document_acls_document_id_documents_id_fk" FOREIGN KEY ("document_id") REFERENCES "public"."documents"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "group_members" ADD CONSTRAINT "group_members_groupname_groups_groupname_fk" FOREIGN KEY ("groupname") REFERENCES "public"."groups"("groupname") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
CREATE INDEX "acls_browsers" ON "acls" USING gin ("browsers");--> statement-breakpoint
CREATE UNIQUE INDEX "documents_path" ON "documents" USING btree ("path") WHERE path is not null;--> statement-breakpoint
CREATE INDEX "documents_parent" ON "documents" USING btree ("parent_id","name");--> statement-breakpoint
CREATE INDEX "documents_type" ON "documents" USING btree ("type");--> statement-breakpoint
CREATE INDEX "documents_series" ON "documents" USING btree ("version_series_id") WHERE version_series_id is not null;--> statement-breakpoint
CREATE INDEX "documents_acl" ON "documents" USING btree ("acl_id");--> statement-breakpoint
CREATE INDEX "documents_properties" ON "documents" USING gin (properties jsonb_path_ops);--> statement-breakpoint
CREATE INDEX "group_members_member" ON "group_members" USING btree ("kind","member");--> statement-breakpoint
CREATE INDEX "receipts_created" ON "receipts" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "transient_entries_expiry" ON "transient_entries" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "contributions_created" ON "contributions" USING btree ("point","created_at");