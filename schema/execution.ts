import { bigint, index, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

/**
 * The proof that a transaction segment was committed, written with its effects. A retried activity finds
 * it and returns the recorded result instead of doing the work again.
 */
export const receipts = pgTable(
  'receipts',
  {
    workflowId: text('workflow_id').notNull(),
    /** Which segment of the run: stable over retries and over continue-as-new. */
    step: text('step').notNull(),
    result: jsonb('result').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.workflowId, t.step] }), index('receipts_created').on(t.createdAt)],
)

/**
 * How far a loop has come. Each element moves `position` by one in its own transaction, which both records
 * the element and fences off a second worker that still believes it owns the page.
 */
export const loopProgress = pgTable(
  'loop_progress',
  {
    workflowId: text('workflow_id').notNull(),
    step: text('step').notNull(),
    position: integer('position').notNull(),
    /** Elements that failed and were passed over. */
    failed: integer('failed').notNull().default(0),
    /** `[{ position, message, status }]` of the first of them. */
    failures: jsonb('failures').notNull().default([]),
    /** Variables that the elements changed, when the loop does not isolate them. */
    variables: jsonb('variables'),
    updatedAt: timestamp('updated_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [primaryKey({ columns: [t.workflowId, t.step] })],
)

/** The transient store: what is too large to travel through Temporal, passed by key until it expires. */
export const transientEntries = pgTable(
  'transient_entries',
  {
    key: text('key').notNull(),
    /** Long lists are kept in chunks, so that a page of a loop reads only its own elements. */
    chunk: integer('chunk').notNull().default(0),
    value: jsonb('value').notNull(),
    bytes: bigint('bytes', { mode: 'number' }).notNull(),
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.key, t.chunk] }), index('transient_entries_expiry').on(t.expiresAt)],
)

/** The last number that each key was given: `Fn.getNextId` of expressions and scripts. */
export const sequences = pgTable('sequences', {
  key: text('key').primaryKey(),
  last: bigint('last', { mode: 'number' }).notNull(),
})
