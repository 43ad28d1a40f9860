import type { Principal } from '../../../core/access/security/index.js'
import type { MailOutcome, MailStore } from '../../../core/content/mail/index.js'
import type { Mail, MailQueue } from '../../../core/content/stores/index.js'
import type { Sql } from '../connection/index.js'

/** Whoever sends mail listens here for mail that was just committed. */
export const MAIL_CHANNEL = 'archivolt_mail'

/** Seconds after which a mail that was taken and never settled is taken again: its process is gone. */
const LEASE = 600

/** How long what became of a mail can be looked up. */
const KEPT_DAYS = 30

/** Keeps mail in the transaction of a session. */
export const createMailQueue = (sql: Sql, principal: Principal): MailQueue => ({
  enqueue: async (mail) => {
    await sql`
      WITH told AS (SELECT pg_notify(${MAIL_CHANNEL}, ''))
      INSERT INTO mails (message, principal) SELECT ${sql.json(mail as never)}, ${principal.name} FROM told`
  },
})

type Row = { id: string; message: Mail; attempts: number; createdAt: Date }

const columnsOf = (outcome: MailOutcome) => {
  if (outcome.kind === 'later') return { state: 'waiting', error: outcome.error, at: outcome.at }
  return { state: outcome.kind, error: outcome.kind === 'failed' ? outcome.error : null, at: null }
}

/** The mail that waits in one database. */
export const createMailStore = (sql: Sql): MailStore => ({
  takeDue: async (now) => {
    const [row] = await sql<Row[]>`
      UPDATE mails SET attempts = attempts + 1, next_attempt_at = ${now}::timestamptz + ${LEASE} * interval '1 second'
      WHERE id = (
        SELECT id FROM mails WHERE state = 'waiting' AND next_attempt_at <= ${now}
        ORDER BY next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED)
      RETURNING id, message, attempts, created_at AS "createdAt"`
    return (
      row && { id: row.id, mail: row.message, attempts: row.attempts, createdAt: new Date(row.createdAt) }
    )
  },

  settle: async (id, outcome) => {
    const { state, error, at } = columnsOf(outcome)
    await sql`
      UPDATE mails SET state = ${state}, error = ${error},
        next_attempt_at = coalesce(${at}::timestamptz, next_attempt_at),
        settled_at = CASE WHEN ${state} = 'waiting' THEN NULL ELSE now() END
      WHERE id = ${id}`
  },

  removeOld: async () => {
    await sql`
      DELETE FROM mails WHERE id IN (
        SELECT id FROM mails
        WHERE state <> 'waiting' AND settled_at < now() - make_interval(days => ${KEPT_DAYS}) LIMIT 10000)`
  },
})
