import type { Subtree, SubtreeFacts } from '../../../../core/content/stores/index.js'
import { documents } from '../../../../schema/documents.js'
import type { Sql } from '../../connection/index.js'
import { columnsOf, named, tableOf } from '../../rows/index.js'
import { within } from '../rows.js'

const DOCUMENTS = tableOf(documents)
const d = columnsOf(documents, 'd')

/** Documents that one statement changes well within its time. */
const MAX_TIMED_DOCUMENTS = 5_000

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
const lockRows = async (sql: Sql, root: Subtree): Promise<number> => {
  for (let known = -1; ; ) {
    const { count } = await named(
      sql,
    )`SELECT FROM ${DOCUMENTS} d WHERE ${within(sql, root)} ORDER BY ${d.path} FOR UPDATE OF d`
    if (count === known) return count
    known = count
  }
}

export const lockSubtree = async (sql: Sql, root: Subtree): Promise<SubtreeFacts> => {
  if ((await lockRows(sql, root)) > MAX_TIMED_DOCUMENTS) await withoutTimeLimit(sql)
  return factsOf(sql, root)
}

export const factsOf = async (sql: Sql, root: Subtree): Promise<SubtreeFacts> => {
  const [facts] = await named(sql)<SubtreeFacts[]>`
    SELECT coalesce(max(octet_length(${d.path})), 0) AS "longestPath",
           coalesce(bool_or(${d.hasProxies}), false) AS "hasTargets"
    FROM ${DOCUMENTS} d WHERE ${within(sql, root)}`
  if (!facts) throw new Error('An aggregate gave no row')
  return facts
}
