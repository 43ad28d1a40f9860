ALTER TABLE "media_tasks" ADD COLUMN "owner" text DEFAULT '' NOT NULL;
CREATE INDEX "media_tasks_turns" ON "media_tasks" USING btree ("owner","created_at") WHERE state = 'waiting';