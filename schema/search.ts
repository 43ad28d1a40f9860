import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'

/**
 * The indexes of a repository in a search engine: the one that answers, and one that is to take its place. How far each
 * has read the outbox is the row of `outbox_cursors` of its name.
 */
export const searchIndexes = pgTable(
  'search_indexes',
  {
    /** In the search engine. */
    name: text('name').primaryKey(),
    /** `wanted` until something begins to build it, then `building`, then `live`. */
    state: text('state').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    /** Documents of the repository when its building began, and how many of them it has. */
    total: integer('total').notNull().default(0),
    done: integer('done').notNull().default(0),
    /** The process that feeds it, until when others leave that to it. */
    leaseOwner: text('lease_owner'),
    leaseUntil: timestamp('lease_until', { withTimezone: true }),
  },
  (t) => [uniqueIndex('search_indexes_one_of_each').on(sql`(${t.state} = 'live')`)],
)

/** Documents that the search engine has refused. No foreign key: one may be removed while it stands here. */
export const searchFailures = pgTable(
  'search_failures',
  {
    documentId: uuid('document_id').primaryKey(),
    reason: text('reason').notNull(),
    attempts: integer('attempts').notNull().default(1),
    failedAt: timestamp('failed_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (t) => [index('search_failures_failed_at').on(t.failedAt, t.documentId)],
)
