import { sql } from 'drizzle-orm'
import {
  boolean,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { failureColumns, writtenAt } from './columns.js'
import { eventDepth } from './event-depth.js'

/**
 * Bulk commands: an operation or chain over everything that a query finds. A command is written in the transaction
 * that asks for it and started after its commit. Each batch of documents moves `processed` in its own transaction,
 * which records it and fences off every other attempt, also once the command is aborted.
 */
export const bulkCommands = pgTable(
  'bulk_commands',
  {
    id: uuid('id').primaryKey(),
    principal: text('principal').notNull(),
    requestId: text('request_id').notNull(),
    action: text('action').notNull(),
    /** The parsed query. */
    query: jsonb('query').notNull(),
    queryLimit: integer('query_limit'),
    /** `{ target, parameters, chains }`: what is called for the documents, with the chains of the moment. */
    work: jsonb('work').notNull(),
    bucketSize: integer('bucket_size').notNull(),
    batchSize: integer('batch_size').notNull(),
    /** Documents in a second at most; null: as fast as it goes. */
    rate: integer('rate'),
    /** The command whose failed documents it does again; null: it finds its own by the query. */
    repairs: uuid('repairs'),
    /** `SCHEDULED`, `SCROLLING_RUNNING`, `RUNNING`, `COMPLETED` or `ABORTED`. */
    state: text('state').notNull().default('SCHEDULED'),
    /** Ids that were found so far, kept as a list of the transient store under the command's id. */
    collected: integer('collected').notNull().default(0),
    /** The last of them. */
    lastId: text('last_id'),
    /** Documents behind the command, failed ones included. */
    processed: integer('processed').notNull().default(0),
    failed: integer('failed').notNull().default(0),
    /** What ended the command before its end. */
    error: text('error'),
    isStarted: boolean('is_started').notNull().default(false),
    /** Of the transaction that gave it: what it does is caused by the same events. */
    eventDepth: eventDepth('event_depth'),
    submittedAt: writtenAt('submitted_at'),
    scrollStartedAt: timestamp('scroll_started_at', { withTimezone: true }),
    scrollEndedAt: timestamp('scroll_ended_at', { withTimezone: true }),
    completedAt: timestamp('completed_at', { withTimezone: true }),
  },
  (t) => [
    index('bulk_commands_waiting').on(t.submittedAt).where(sql`NOT is_started`),
    index('bulk_commands_open').on(t.principal).where(sql`completed_at IS NULL`),
    index('bulk_commands_completed').on(t.completedAt).where(sql`completed_at IS NOT NULL`),
  ],
)

/** Documents that a command passed over. What does one again takes it out of here in the transaction of its effects. */
export const bulkFailures = pgTable(
  'bulk_failures',
  {
    commandId: uuid('command_id')
      .notNull()
      .references(() => bulkCommands.id, { onDelete: 'cascade' }),
    documentId: uuid('document_id').notNull(),
    ...failureColumns(),
  },
  (t) => [
    primaryKey({ columns: [t.commandId, t.position] }),
    uniqueIndex('bulk_failures_document').on(t.commandId, t.documentId),
  ],
)
