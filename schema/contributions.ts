import { boolean, index, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

/** Contributions deployed at run time. Every version is kept; the newest one that is not deleted is in force. */
export const contributions = pgTable(
  'contributions',
  {
    point: text('point').notNull(),
    name: text('name').notNull(),
    version: integer('version').notNull(),
    /** The text as it was deployed, and in which notation. */
    source: text('source').notNull(),
    format: text('format', { enum: ['yaml', 'xml', 'json'] }).notNull(),
    /** The checked content, normalised. */
    content: jsonb('content').notNull(),
    isDeleted: boolean('is_deleted').notNull().default(false),
    author: text('author').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.point, t.name, t.version] }),
    index('contributions_marks').on(t.createdAt),
  ],
)

/** For each kind of what processes remember, the transaction that has last changed any of it. */
export const changeMarks = pgTable('change_marks', {
  kind: text('kind', { enum: ['identities', 'directories'] }).primaryKey(),
  transactionId: text('transaction_id').notNull(),
})
