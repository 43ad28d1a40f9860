import { type EffectEvent, type Effects, MAX_EFFECTS } from '../../../core/automation/run-store/index.js'
import type { Mail } from '../../../core/content/stores/index.js'
import { documents, outbox } from '../../../schema/documents.js'
import { mails as mailTable } from '../../../schema/mail.js'
import type { Sql } from '../connection/index.js'
import { columnsOf, named, tableOf } from '../rows/index.js'

const [OUTBOX, DOCUMENTS, MAILS] = [tableOf(outbox), tableOf(documents), tableOf(mailTable)]
const o = columnsOf(outbox, 'o')
const d = columnsOf(documents, 'd')
const MAIL = columnsOf(mailTable)

type Counted<Row> = Row & { count: number }

/** The events and mails that the current transaction has written. */
export const readEffects = async (sql: Sql): Promise<Effects> => {
  const events = await named(sql)<Counted<EffectEvent>[]>`
    SELECT ${o.event} AS event, ${o.documentId} AS "documentId", ${d.path} AS path, ${d.type} AS type,
      count(*) OVER ()::float8 AS count
    FROM ${OUTBOX} o LEFT JOIN ${DOCUMENTS} d ON ${d.id} = ${o.documentId}
    WHERE ${o.transactionId}::bigint = pg_current_xact_id()::text::bigint
    ORDER BY ${o.id} LIMIT ${MAX_EFFECTS}`
  // What waits for its first attempt is due since the beginning of its transaction.
  const mails = await named(sql)<Counted<{ message: Pick<Mail, 'to' | 'cc' | 'bcc' | 'subject'> }>[]>`
    SELECT ${MAIL.message} AS message, count(*) OVER ()::float8 AS count
    FROM ${MAILS}
    WHERE ${MAIL.state} = 'waiting' AND ${MAIL.nextAttemptAt} = now() AND ${MAIL.createdAt} = now()
    ORDER BY ${MAIL.id} LIMIT ${MAX_EFFECTS}`
  return {
    events: events.map(({ count: _, ...event }) => event),
    eventCount: events[0]?.count ?? 0,
    mails: mails.map(({ message: { to, cc = [], bcc = [], subject } }) => ({
      to: [...to, ...cc, ...bcc],
      subject,
    })),
    mailCount: mails[0]?.count ?? 0,
  }
}
