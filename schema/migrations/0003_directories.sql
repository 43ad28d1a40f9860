CREATE TABLE "directory_entries" (
	"directory" text NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"ordering" bigint DEFAULT 0 NOT NULL,
	"properties" jsonb NOT NULL,
	CONSTRAINT "directory_entries_directory_id_pk" PRIMARY KEY("directory","id")
);
--> statement-breakpoint
CREATE TABLE "directory_states" (
	"directory" text PRIMARY KEY NOT NULL,
	"loaded" text,
	"loaded_at" timestamp with time zone,
	"last_id" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "groups" ADD COLUMN "properties" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
CREATE INDEX "directory_entries_order" ON "directory_entries" USING btree ("directory","ordering","id");--> statement-breakpoint
CREATE INDEX "directory_entries_properties" ON "directory_entries" USING gin ("properties" jsonb_path_ops);