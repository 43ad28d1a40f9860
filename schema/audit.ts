import { bigint, index, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core'
import { writtenAt } from './columns.js'

/** What has happened, for those who ask later: copied from the outbox in its order, each event once. */
export const auditEntries = pgTable(
  'audit_entries',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    eventId: text('event_id').notNull(),
    category: text('category'),
    principalName: text('principal_name'),
    comment: text('comment'),
    docLifeCycle: text('doc_life_cycle'),
    docPath: text('doc_path'),
    docType: text('doc_type'),
    docUUID: text('doc_uuid'),
    repositoryId: text('repository_id'),
    eventDate: timestamp('event_date', { withTimezone: true }).notNull(),
    logDate: writtenAt('log_date'),
    extended: jsonb('extended').notNull(),
  },
  (t) => [
    index('audit_of_document').on(t.docUUID, t.eventDate),
    index('audit_by_date').on(t.eventDate, t.id),
  ],
)
