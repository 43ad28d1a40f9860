import { sql } from 'drizzle-orm'
import {
  bigint,
  customType,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
} from 'drizzle-orm/pg-core'
import { failureColumns, stepColumns, writtenAt } from './columns.js'

/** Byte order, so that a run and the runs below it (`{run}/…`) are one range. */
const runText = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' })

/**
 * The proof that a transaction segment was committed, written with its effects. A retried activity finds
 * it and returns the recorded result instead of doing the work again.
 */
export const receipts = pgTable(
  'receipts',
  {
    ...stepColumns(),
    result: jsonb('result').notNull(),
    createdAt: writtenAt('created_at'),
  },
  (t) => [primaryKey({ columns: [t.workflowId, t.step] }), index('receipts_created').on(t.createdAt)],
)

/**
 * How far a loop has come. Each item moves `position` by one in its own transaction, which both records the item and
 * fences off a second worker that still believes it owns the page.
 */
export const loopProgress = pgTable(
  'loop_progress',
  {
    ...stepColumns(),
    position: integer('position').notNull(),
    total: integer('total').notNull(),
    /** Items that failed. */
    failed: integer('failed').notNull().default(0),
    /** `{ position, message, status }` of the item at which the loop has ended, while it stands there. */
    stopped: jsonb('stopped'),
    /** The state that the last item has handed on, when the loop does not isolate them. */
    variables: jsonb('variables'),
    /** The state with which it began. Null: it retries failed items of another one. */
    entered: jsonb('entered'),
    /** The document at `position`, where items are runs of their own. */
    documentId: text('document_id'),
    updatedAt: writtenAt('updated_at'),
  },
  (t) => [primaryKey({ columns: [t.workflowId, t.step] })],
)

/** Failed items. Whoever retries one removes it from here in the transaction of its effects. */
export const loopFailures = pgTable(
  'loop_failures',
  {
    ...stepColumns(),
    ...failureColumns(),
    /** Null: the element is no document. */
    documentId: text('document_id'),
  },
  (t) => [
    primaryKey({ columns: [t.workflowId, t.step, t.position] }),
    foreignKey({
      name: 'loop_failures_loop',
      columns: [t.workflowId, t.step],
      foreignColumns: [loopProgress.workflowId, loopProgress.step],
    }).onDelete('cascade'),
  ],
)

/**
 * What went wrong in a run and did not end it, or was answered by an error chain: written with the effects of its step,
 * or after their rollback.
 */
export const runIncidents = pgTable(
  'run_incidents',
  {
    workflowId: runText('workflow_id').notNull(),
    /** That of the receipt; of an element of a loop that of the loop, and its position behind a slash. */
    step: text('step').notNull(),
    /** Among those of one attempt of the step. */
    ordinal: integer('ordinal').notNull(),
    incident: jsonb('incident').notNull(),
    at: writtenAt('at'),
  },
  (t) => [primaryKey({ columns: [t.workflowId, t.step, t.ordinal] }), index('run_incidents_at').on(t.at)],
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

/**
 * Runs of chains that are one transaction of the process that was asked, or of a page of events. A completed one is
 * written in that transaction, a failed one after its rollback.
 */
export const inlineRuns = pgTable(
  'inline_runs',
  {
    runId: text('run_id').primaryKey(),
    chainId: text('chain_id').notNull(),
    principal: text('principal').notNull(),
    requestId: text('request_id').notNull(),
    /** The document that it was called on. */
    documentId: text('document_id'),
    /** The event that started it; null: none did. */
    event: text('event'),
    /** What it does, as an operator reads it. */
    title: text('title').notNull(),
    startedAt: timestamp('started_at', { withTimezone: true }).notNull(),
    closedAt: timestamp('closed_at', { withTimezone: true }).notNull().default(sql`clock_timestamp()`),
    /** `{ code, status, message }`; absent: it completed. */
    failure: jsonb('failure'),
    /** What a failed run was asked, so that it can be asked again. */
    request: jsonb('request'),
  },
  (t) => [
    index('inline_runs_closed').on(t.closedAt, t.runId),
    index('inline_runs_principal').on(t.principal, t.closedAt, t.runId),
  ],
)

/** The last number that each key was given: `Fn.getNextId` of expressions and scripts. */
export const sequences = pgTable('sequences', {
  key: text('key').primaryKey(),
  last: bigint('last', { mode: 'number' }).notNull(),
})

/** Runs of chains that users have started by calls and that have not been seen ended, to count them in every process. */
export const openRuns = pgTable(
  'open_runs',
  {
    runId: text('run_id').primaryKey(),
    principal: text('principal').notNull(),
    begunAt: timestamp('begun_at', { withTimezone: true }).notNull().default(sql`clock_timestamp()`),
    /** Those of a kind are counted together. */
    kind: text('kind', { enum: ['run', 'conversion'] })
      .notNull()
      .default('run'),
  },
  (t) => [index('open_runs_principal').on(t.principal)],
)
