import type { Backlog } from '../../../core/platform/telemetry/index.js'
import { outbox, outboxCursors } from '../../../schema/documents.js'
import { loopFailures } from '../../../schema/execution.js'
import { mails } from '../../../schema/mail.js'
import { routes } from '../../../schema/routing.js'
import { searchFailures, searchIndexes } from '../../../schema/search.js'
import type { Sql } from '../connection/index.js'
import { columnsOf, named, tableOf } from '../rows/index.js'

const o = columnsOf(outbox, 'o')
const c = columnsOf(outboxCursors, 'c')
const i = columnsOf(searchIndexes, 'i')
const MAIL = columnsOf(mails)
const ROUTE = columnsOf(routes)

type Row = {
  lag: number
  indexLag: number | null
  waiting: number
  failed: number
  items: number
  running: number
  unfollowed: number
  parked: number
}

/** Looks at what waits in a database, in one round trip. It reads every failed item and settled mail that is kept. */
export const readBacklog = async (sql: Sql): Promise<Backlog> => {
  const [row] = await named(sql)<Row[]>`
    SELECT
      (SELECT coalesce(max(extract(epoch FROM now() - first.at)), 0) FROM ${tableOf(outboxCursors)} c,
        LATERAL (SELECT ${o.createdAt} AS at FROM ${tableOf(outbox)} o
          WHERE (${o.transactionId}::bigint, ${o.id}) > (${c.transactionId}, ${c.eventId})
          ORDER BY ${o.transactionId}::bigint, ${o.id} LIMIT 1) AS first)::float8 AS lag,
      (SELECT max(coalesce(extract(epoch FROM now() - first.at), 0))
        FROM ${tableOf(searchIndexes)} i JOIN ${tableOf(outboxCursors)} c
          ON ${c.name} = 'search ' || ${i.name} OR starts_with(${c.name}, 'search ' || ${i.name} || ' below ')
        LEFT JOIN LATERAL (SELECT ${o.createdAt} AS at FROM ${tableOf(outbox)} o
          WHERE (${o.transactionId}::bigint, ${o.id}) > (${c.transactionId}, ${c.eventId})
          ORDER BY ${o.transactionId}::bigint, ${o.id} LIMIT 1) AS first ON true
        WHERE ${i.state} = 'live')::float8 AS "indexLag",
      (SELECT count(*) FROM ${tableOf(searchFailures)})::float8 AS parked,
      (SELECT count(*) FROM ${tableOf(mails)} WHERE ${MAIL.state} = 'waiting')::float8 AS waiting,
      (SELECT count(*) FROM ${tableOf(mails)} WHERE ${MAIL.state} = 'failed')::float8 AS failed,
      (SELECT count(*) FROM ${tableOf(routes)} WHERE ${ROUTE.status} = 'running')::float8 AS running,
      (SELECT count(*) FROM ${tableOf(routes)} WHERE ${ROUTE.followed} < ${ROUTE.revision})::float8 AS unfollowed,
      (SELECT count(*) FROM ${tableOf(loopFailures)})::float8 AS items`
  const { lag, indexLag, waiting, failed, items, parked, running, unfollowed } = row!
  return {
    outboxLagSeconds: lag,
    mails: { waiting, failed },
    failedItems: items,
    workflows: { running, unfollowed },
    index: { lagSeconds: indexLag, parked },
  }
}
