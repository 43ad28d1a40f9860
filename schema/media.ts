import { sql } from 'drizzle-orm'
import { index, jsonb, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { documents } from './documents.js'

/**
 * What is to be made of the files of documents, and what was: `picture`, `video`, `text` and so on. A row stays with
 * its document, so that the same file is made into the same thing once.
 */
export const mediaTasks = pgTable(
  'media_tasks',
  {
    documentId: uuid('document_id')
      .notNull()
      .references(() => documents.id, { onDelete: 'cascade' }),
    kind: text('kind').notNull(),
    /** Of the file: its bytes, type and encoding. */
    digest: text('digest').notNull(),
    /** The file. */
    source: jsonb('source').notNull(),
    /** `waiting`, `done` or `failed`. */
    state: text('state').notNull().default('waiting'),
    /** What was made of it. */
    result: jsonb('result'),
    /** Why nothing was. */
    error: text('error'),
    /** Who asked for it. */
    owner: text('owner').notNull().default(''),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.documentId, t.kind] }),
    index('media_tasks_digest').on(t.kind, t.digest),
    index('media_tasks_waiting').on(t.createdAt).where(sql`state = 'waiting'`),
    index('media_tasks_turns').on(t.owner, t.createdAt).where(sql`state = 'waiting'`),
  ],
)
