import type { Subtree, SubtreeFacts } from '../../../../core/content/stores/index.js'
import { documents } from '../../../../schema/documents.js'
import type { RefuseWaiting, Sql } from '../../connection/index.js'
import { columnsOf, named, tableOf } from '../../rows/index.js'
import { within } from '../rows.js'

const DOCUMENTS = tableOf(documents)
const d = columnsOf(documents, 'd')

/** Documents that are changed well within the time of a statement, and while others may wait. */
export const MAX_SHORT = 5_000

/**
 * Properties that are changed well within the time of a statement, bytes: a row that gets another path is written to all
 * indexes, and those of properties read each document as a whole, a few times over.
 */
const MAX_SHORT_BYTES = 8 * 1024 * 1024

/**
 * Does what holds rows until the end of the transaction, and refuses those who then wait for it; of a small number of
 * rows they may.
 *
 * @param work returns how many rows it holds.
 */
export const refusingWaiting = async <Done extends { count: number }>(
  sql: Sql,
  refuseWaiting: RefuseWaiting,
  work: () => Promise<Done>,
): Promise<Done> => {
  const refusing = refuseWaiting(sql)
  const done = await work()
  if (done.count <= MAX_SHORT) refusing.stop()
  return done
}

/**
 * Lets the statements of this transaction take as long as they need: one that changes a million documents takes longer
 * than any other may, and would fail each time.
 */
export const withoutTimeLimit = async (sql: Sql): Promise<void> => {
  await sql.unsafe('SET LOCAL statement_timeout = 0', [], { patient: true })
}

/**
 * Locks a subtree against every change. A child that another transaction was making while the first
 * statement waited for its parent is not in that statement's snapshot, so rows are locked until a statement
 * finds no new ones: by then every parent is held and no child can be made.
 */
const lockRows = async (sql: Sql, root: Subtree): Promise<{ count: number }> => {
  for (let known = -1; ; ) {
    const { count } = await named(
      sql,
    )`SELECT FROM ${DOCUMENTS} d WHERE ${within(sql, root)} ORDER BY ${d.path} FOR UPDATE OF d`
    if (count === known) return { count }
    known = count
  }
}

export const lockSubtree = async (
  sql: Sql,
  root: Subtree,
  refuseWaiting: RefuseWaiting,
): Promise<SubtreeFacts> => {
  const { count } = await refusingWaiting(sql, refuseWaiting, () => lockRows(sql, root))
  if (count > MAX_SHORT) await withoutTimeLimit(sql)
  const { storedBytes, ...facts } = await measured(sql, root)
  if (storedBytes > MAX_SHORT_BYTES) await withoutTimeLimit(sql)
  return facts
}

export const factsOf = async (sql: Sql, root: Subtree): Promise<SubtreeFacts> => {
  const { storedBytes: _, ...facts } = await measured(sql, root)
  return facts
}

/** @returns `storedBytes`: of all properties, as the database has compressed them. */
const measured = async (sql: Sql, root: Subtree): Promise<SubtreeFacts & { storedBytes: number }> => {
  const [facts] = await named(sql)<(SubtreeFacts & { storedBytes: number })[]>`
    SELECT coalesce(sum(pg_column_size(${d.properties})), 0)::float8 AS "storedBytes",
           coalesce(max(octet_length(${d.path})), 0) AS "longestPath",
           coalesce(bool_or(${d.hasProxies}), false) AS "hasTargets"
    FROM ${DOCUMENTS} d WHERE ${within(sql, root)}`
  if (!facts) throw new Error('An aggregate gave no row')
  return facts
}
