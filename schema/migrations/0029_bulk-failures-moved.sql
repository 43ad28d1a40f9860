-- Failed documents were a list in the row of their command.
INSERT INTO "bulk_failures" ("command_id", "position", "document_id", "status", "message")
SELECT c."id", f."position", f."id", f."status", f."message"
FROM "bulk_commands" c, jsonb_to_recordset(c."failures") AS f("position" integer, "id" uuid, "status" integer, "message" text)
ON CONFLICT DO NOTHING;
