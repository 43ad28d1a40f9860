CREATE TABLE "user_writes" (
	"username" text PRIMARY KEY NOT NULL,
	"characters" bigint NOT NULL,
	"at" timestamp with time zone NOT NULL
);
