CREATE TABLE "run_keys" (
	"name" text PRIMARY KEY NOT NULL,
	"secret" text NOT NULL,
	"unsigned_until" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
