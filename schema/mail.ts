import { sql } from 'drizzle-orm'
import { index, integer, jsonb, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

/**
 * Mail to be sent, written in the transaction that asks for it and sent after its commit; what has been sent or
 * given up stays for a while, so that operators can look it up.
 */
export const mails = pgTable(
  'mails',
  {
    /** Part of the Message-ID: a mail that is sent twice after a failure is known as one. */
    id: uuid('id').primaryKey().defaultRandom(),
    /** Sender, receivers, subject, text; files by their digests. */
    message: jsonb('message').notNull(),
    principal: text('principal').notNull(),
    /** `waiting`, `sent` or `failed`. */
    state: text('state').notNull().default('waiting'),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: timestamp('next_attempt_at', { withTimezone: true }).notNull().defaultNow(),
    /** What the last attempt failed with. */
    error: text('error'),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
    settledAt: timestamp('settled_at', { withTimezone: true }),
  },
  (t) => [
    index('mails_waiting').on(t.nextAttemptAt).where(sql`state = 'waiting'`),
    index('mails_settled').on(t.settledAt).where(sql`state <> 'waiting'`),
  ],
)
