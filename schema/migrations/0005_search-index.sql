CREATE TABLE "search_failures" (
	"document_id" uuid PRIMARY KEY NOT NULL,
	"reason" text NOT NULL,
	"attempts" integer DEFAULT 1 NOT NULL,
	"failed_at" timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE "search_indexes" (
	"name" text PRIMARY KEY NOT NULL,
	"state" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"total" integer DEFAULT 0 NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"lease_owner" text,
	"lease_until" timestamp with time zone
);

CREATE INDEX "search_failures_failed_at" ON "search_failures" USING btree ("failed_at","document_id");
CREATE UNIQUE INDEX "search_indexes_one_of_each" ON "search_indexes" USING btree (("state" = 'live'));