-- Failed elements were a list in the row of their loop.
INSERT INTO "loop_failures" ("workflow_id", "step", "position", "status", "message")
SELECT l."workflow_id", l."step", f."position", f."status", f."message"
FROM "loop_progress" l, jsonb_to_recordset(l."failures") AS f("position" integer, "status" integer, "message" text)
ON CONFLICT DO NOTHING;
