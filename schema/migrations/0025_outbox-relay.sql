CREATE TABLE "outbox_cursors" (
	"name" text PRIMARY KEY NOT NULL,
	"transaction_id" bigint NOT NULL,
	"event_id" bigint NOT NULL
);
--> statement-breakpoint
CREATE INDEX "outbox_relayed" ON "outbox" USING btree ((transaction_id::bigint),"id");