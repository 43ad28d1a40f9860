import { and, asc, eq, inArray, lt, lte, ne, sql as text } from 'drizzle-orm'
import type { MailOutcome, MailStore } from '../../../core/content/mail/index.js'
import type { Mail, MailQueue } from '../../../core/content/stores/index.js'
import { weightOf } from '../../../core/platform/limits/index.js'
import { mails } from '../../../schema/mail.js'
import { type Sql, typed } from '../connection/index.js'
import { columnsOf, named, tableOf, type Writer } from '../rows/index.js'

/** Whoever sends mail listens here for mail that was just committed. */
export const MAIL_CHANNEL = 'archivolt_mail'

/** After this a mail that was taken and never settled is taken again: its process is gone. */
const LEASE_MS = 600_000

/** How long what became of a mail can be looked up. */
const KEPT_DAYS = 30

/** Rows of one statement: short transactions, whatever has piled up. */
const BATCH = 10_000

const MAILS = tableOf(mails)
const MAIL = columnsOf(mails)

/** Keeps mail in the transaction of a session. */
export const createMailQueue = (sql: Sql, { principal, writes }: Writer): MailQueue => ({
  enqueue: async (mail) => {
    await writes?.spend(weightOf(mail))
    // One round trip with what wakes the sender.
    await named(sql)`
      WITH notified AS (SELECT pg_notify(${MAIL_CHANNEL}, ''))
      INSERT INTO ${MAILS} (${MAIL.message}, ${MAIL.principal})
      SELECT ${sql.json(mail as never)}, ${principal.name} FROM notified`
  },
})

const columnsFor = (outcome: MailOutcome) => {
  if (outcome.kind === 'later')
    return { state: 'waiting', error: outcome.error, nextAttemptAt: outcome.at, settledAt: null }
  const error = outcome.kind === 'failed' ? outcome.error : null
  return { state: outcome.kind, error, settledAt: text`now()` }
}

/** The mail that waits in one database. */
export const createMailStore = (sql: Sql): MailStore => {
  const db = typed(sql)
  return {
    takeDue: async (now) => {
      const due = db
        .select({ id: mails.id })
        .from(mails)
        .where(and(eq(mails.state, 'waiting'), lte(mails.nextAttemptAt, now)))
        .orderBy(asc(mails.nextAttemptAt))
        .limit(1)
        .for('update', { skipLocked: true })
      const [row] = await db
        .update(mails)
        .set({ attempts: text`${mails.attempts} + 1`, nextAttemptAt: new Date(now.getTime() + LEASE_MS) })
        .where(eq(mails.id, due))
        .returning({
          id: mails.id,
          mail: mails.message,
          attempts: mails.attempts,
          createdAt: mails.createdAt,
        })
      return row && { ...row, mail: row.mail as Mail }
    },

    settle: async (id, outcome) => {
      await db.update(mails).set(columnsFor(outcome)).where(eq(mails.id, id))
    },

    removeOld: async () => {
      const old = db
        .select({ id: mails.id })
        .from(mails)
        .where(
          and(
            ne(mails.state, 'waiting'),
            lt(mails.settledAt, text`now() - make_interval(days => ${KEPT_DAYS})`),
          ),
        )
        .limit(BATCH)
      await db.delete(mails).where(inArray(mails.id, old))
    },
  }
}
