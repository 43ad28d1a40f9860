import type { IndexReadiness, IndexRegistry, IndexState } from '../../../core/content/stores/index.js'
import { outbox, outboxCursors } from '../../../schema/documents.js'
import { searchIndexes } from '../../../schema/search.js'
import type { Database, Sql } from '../connection/index.js'
import { columnsOf, named, tableOf } from '../rows/index.js'
import { cursorOf, heldCursor, heldPrefix, taskOf } from './cursor.js'

const INDEXES = tableOf(searchIndexes)
const OUTBOX = tableOf(outbox)
const CURSORS = tableOf(outboxCursors)
const I = columnsOf(searchIndexes)
const C = columnsOf(outboxCursors)
const i = columnsOf(searchIndexes, 'i')
const c = columnsOf(outboxCursors, 'c')
const o = columnsOf(outbox, 'o')
const p = columnsOf(outboxCursors, 'p')

/** Whatever changes which scope documents belong to, beyond those that it names. */
const REGROUPING = ['documentSecurityUpdated', 'documentMoved', 'documentTrashed', 'documentUntrashed']

const beginReading = async (sql: Sql, name: string): Promise<void> => {
  await named(sql)`
    INSERT INTO ${CURSORS} (${C.name}, ${C.transactionId}, ${C.eventId})
    VALUES (${cursorOf(name)}, pg_snapshot_xmin(pg_current_snapshot())::text::bigint, 0)
    ON CONFLICT (${C.name}) DO NOTHING`
}

const remove = async (sql: Sql, names: readonly string[]): Promise<void> => {
  await named(sql)`DELETE FROM ${INDEXES} WHERE ${I.name} = ANY (${sql.array([...names])}::text[])`
  await named(sql)`
    DELETE FROM ${CURSORS} c USING unnest(${sql.array(names.map(cursorOf))}::text[]) AS gone(name)
    WHERE ${c.name} = gone.name OR starts_with(${c.name}, gone.name || ' below ')`
}

export const createIndexRegistry = ({
  sql,
  transaction,
}: Pick<Database, 'sql' | 'transaction'>): IndexRegistry => ({
  list: async () => [
    ...(await named(sql)<IndexState[]>`
      SELECT ${I.name} AS name, ${I.state} AS state, ${I.createdAt} AS "createdAt", ${I.total} AS total, ${I.done} AS done
      FROM ${INDEXES} ORDER BY ${I.createdAt}`),
  ],

  want: async (name) => {
    const { count } = await named(sql)`
      INSERT INTO ${INDEXES} (${I.name}, ${I.state}) VALUES (${name}, 'wanted') ON CONFLICT DO NOTHING`
    return count === 1
  },

  begin: (name, total) =>
    transaction(async (tx) => {
      await beginReading(tx, name)
      await named(tx)`
        UPDATE ${INDEXES} SET ${I.state} = 'building', ${I.total} = ${total} WHERE ${I.name} = ${name}`
    }),

  progress: async (name, done) => {
    await named(sql)`UPDATE ${INDEXES} SET ${I.done} = ${done} WHERE ${I.name} = ${name}`
  },

  promote: (name) =>
    transaction(async (tx) => {
      const before = await named(tx)<{ name: string }[]>`
        SELECT ${I.name} AS name FROM ${INDEXES} WHERE ${I.state} = 'live' AND ${I.name} <> ${name} FOR UPDATE`
      await remove(
        tx,
        before.map((row) => row.name),
      )
      await named(tx)`UPDATE ${INDEXES} SET ${I.state} = 'live' WHERE ${I.name} = ${name}`
    }),

  forget: (name) => transaction((tx) => remove(tx, [name])),

  lease: async (name, owner, seconds) => {
    const { count } = await named(sql)`
      UPDATE ${INDEXES} SET ${I.leaseOwner} = ${owner}, ${I.leaseUntil} = now() + make_interval(secs => ${seconds})
      WHERE ${I.name} = ${name} AND (${I.leaseOwner} = ${owner} OR ${I.leaseUntil} IS NULL OR ${I.leaseUntil} < now())`
    return count === 1
  },

  hold: async (name, task) => {
    const { transaction: transactionId, id } = task.position
    await named(sql)`
      INSERT INTO ${CURSORS} (${C.name}, ${C.transactionId}, ${C.eventId})
      VALUES (${heldCursor(name, task)}, ${transactionId}, ${id - 1}) ON CONFLICT (${C.name}) DO NOTHING`
  },

  release: async (name, task) => {
    await named(sql)`DELETE FROM ${CURSORS} WHERE ${C.name} = ${heldCursor(name, task)}`
  },

  held: async (name) => {
    const rows = await named(sql)<{ name: string }[]>`
      SELECT ${C.name} AS name FROM ${CURSORS} WHERE starts_with(${C.name}, ${heldPrefix(name)})`
    return rows.map((row) => taskOf(name, row.name))
  },

  readiness: async (lagSeconds) => {
    // The first look ends at the first row; the second one is made only when little waits.
    const [row] = await named(sql)<IndexReadiness[]>`
      SELECT ${i.name} AS live, ${c.transactionId} || '-' || ${c.eventId} AS position, late.is AS "isLate", NOT late.is AND EXISTS (
          SELECT FROM ${OUTBOX} o WHERE (${o.transactionId}::bigint, ${o.id}) > (${c.transactionId}, ${c.eventId})
            AND ${o.event} = ANY (${sql.array(REGROUPING)}::text[])) AS "isRegrouping"
      FROM ${INDEXES} i, LATERAL (
          SELECT p.* FROM ${CURSORS} p
          WHERE ${p.name} = 'search ' || ${i.name} OR starts_with(${p.name}, 'search ' || ${i.name} || ' below ')
          ORDER BY ${p.transactionId}, ${p.eventId} LIMIT 1) c,
        LATERAL (SELECT coalesce((
          SELECT ${o.createdAt} FROM ${OUTBOX} o
          WHERE (${o.transactionId}::bigint, ${o.id}) > (${c.transactionId}, ${c.eventId})
          ORDER BY ${o.transactionId}::bigint, ${o.id} LIMIT 1) < now() - make_interval(secs => ${lagSeconds}), false) AS is) late
      WHERE ${i.state} = 'live'`
    return row ?? { live: undefined, isLate: false, isRegrouping: false }
  },
})
