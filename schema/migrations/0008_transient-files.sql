CREATE TABLE "transient_file_entries" (
	"store" text NOT NULL,
	"key" text NOT NULL,
	"touched_at" timestamp with time zone DEFAULT now() NOT NULL,
	"released_at" timestamp with time zone,
	"is_completed" boolean DEFAULT false NOT NULL,
	CONSTRAINT "transient_file_entries_store_key_pk" PRIMARY KEY("store","key")
);

CREATE TABLE "transient_file_parts" (
	"store" text NOT NULL,
	"key" text NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"value" jsonb NOT NULL,
	"length" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "transient_file_parts_store_key_kind_name_pk" PRIMARY KEY("store","key","kind","name")
);

ALTER TABLE "transient_file_parts" ADD CONSTRAINT "transient_file_parts_entry" FOREIGN KEY ("store","key") REFERENCES "public"."transient_file_entries"("store","key") ON DELETE cascade ON UPDATE no action;