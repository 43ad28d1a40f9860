import { setTimeout as sleep } from 'node:timers/promises'
import type { PointedScopes } from '../../../../core/access/security/index.js'
import { aclScopes, documents } from '../../../../schema/documents.js'
import type { Database, Sql } from '../../connection/index.js'
import { columnsOf, named, tableOf } from '../../rows/index.js'

const SCOPE = columnsOf(aclScopes)
const DOCUMENT = columnsOf(documents)
const ACL_SCOPES = tableOf(aclScopes)
const DOCUMENTS = tableOf(documents)
const d = columnsOf(documents, 'd')
const s = columnsOf(aclScopes, 's')
const v = columnsOf(documents, 'v')

/** Documents that one transaction points to their scope. */
const BATCH = 500

type Pending = { id: number; path: string }

/** What one walk through the documents of scopes found to do: nothing, when they are all right. */
type Walk = { pointed: number; skipped: number }

const pendingScopes = (sql: Sql): Promise<Pending[]> =>
  named(sql)<
    Pending[]
  >`SELECT ${SCOPE.id}, ${SCOPE.path} FROM ${ACL_SCOPES} WHERE ${SCOPE.isPending} ORDER BY ${SCOPE.path}`

/**
 * Points a batch of documents, and their versions, to the scopes of their paths. They are locked first, so that the
 * statement which looks for the scopes sees every move that they have been through; a document that somebody else
 * holds is left to another walk.
 */
const pointBatch = (
  database: Database,
  { path, after }: { path: string; after: string },
): Promise<Walk & { last: string | undefined }> =>
  database.transaction(async (sql) => {
    const end = `${path === '/' ? '' : path}0`
    const batch = await named(sql)<{ path: string }[]>`
      SELECT ${d.path} FROM ${DOCUMENTS} d WHERE ${d.path} >= ${path} AND ${d.path} > ${after} AND ${d.path} < ${end} ORDER BY ${d.path} LIMIT ${BATCH}`
    const last = batch.at(-1)?.path
    if (last === undefined) return { pointed: 0, skipped: 0, last }
    const wrong = await named(sql)<{ id: string }[]>`
      SELECT ${d.id} FROM ${DOCUMENTS} d
      WHERE ${d.path} >= ${path} AND ${d.path} > ${after} AND ${d.path} <= ${last}
        AND (${d.scopeId} <> archivolt_scope_of(${d.path}) OR EXISTS (
          SELECT FROM ${DOCUMENTS} v WHERE ${v.versionSeriesId} = ${d.id} AND ${v.scopeId} <> archivolt_scope_of(${d.path})))`
    if (wrong.length === 0) return { pointed: 0, skipped: 0, last }
    const held = await named(sql)<{ id: string }[]>`
      SELECT ${d.id} FROM ${DOCUMENTS} d WHERE ${d.id} = ANY (${sql.array(wrong.map(({ id }) => id))}::uuid[])
      ORDER BY ${d.path} FOR NO KEY UPDATE OF d SKIP LOCKED`
    const ids = sql.array(held.map(({ id }) => id))
    await named(sql)`
      UPDATE ${DOCUMENTS} d SET ${DOCUMENT.scopeId} = archivolt_scope_of(${d.path})
      WHERE ${d.id} = ANY (${ids}::uuid[]) AND ${d.scopeId} <> archivolt_scope_of(${d.path})`
    await named(sql)`
      UPDATE ${DOCUMENTS} v SET ${DOCUMENT.scopeId} = ${d.scopeId} FROM ${DOCUMENTS} d
      WHERE ${d.id} = ANY (${ids}::uuid[]) AND ${v.versionSeriesId} = ${d.id} AND ${v.scopeId} <> ${d.scopeId}`
    return { pointed: held.length, skipped: wrong.length - held.length, last }
  })

const walk = async (database: Database, pending: readonly Pending[]): Promise<Walk> => {
  const done: Walk = { pointed: 0, skipped: 0 }
  for (const { path } of outermost(pending)) {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const batch = await pointBatch(database, { path, after })
      done.pointed += batch.pointed
      done.skipped += batch.skipped
      after = batch.last
    }
  }
  return done
}

const outermost = (pending: readonly Pending[]): Pending[] =>
  pending.filter(
    ({ path }) =>
      !pending.some(
        (other) => path !== other.path && (other.path === '/' || path.startsWith(`${other.path}/`)),
      ),
  )

/** Transactions that were alive at some moment and still are. */
const olderTransactions = async ({ sql }: Database, moment: string): Promise<number> => {
  const [row] = await named(sql)<{ count: number }[]>`
    SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start <= ${moment}::timestamptz`
  return row?.count ?? 0
}

const clock = async ({ sql }: Database): Promise<string> => {
  const [row] = await named(sql)<{ moment: string }[]>`SELECT clock_timestamp()::text AS moment`
  if (!row) throw new Error('The clock gave no row')
  return row.moment
}

/**
 * Takes the marks from scopes whose documents are all right, and from those that they were cut out of. Scopes are
 * held first, so that one that is being cut at this moment keeps its mark.
 */
const unmark = (database: Database, pending: readonly Pending[]): Promise<void> =>
  database.transaction(async (sql) => {
    const ids = sql.array(pending.map(({ id }) => id))
    await named(sql)`
      SELECT FROM ${ACL_SCOPES} WHERE ${SCOPE.isSplit} OR ${SCOPE.id} = ANY (${ids}::int[]) ORDER BY ${SCOPE.path} FOR UPDATE`
    await named(
      sql,
    )`UPDATE ${ACL_SCOPES} SET ${SCOPE.isPending} = false WHERE ${SCOPE.id} = ANY (${ids}::int[]) AND ${SCOPE.isPending}`
    await named(sql)`
      UPDATE ${ACL_SCOPES} s SET ${SCOPE.isSplit} = false
      WHERE ${s.isSplit} AND NOT EXISTS (
        SELECT FROM ${ACL_SCOPES} p
        WHERE p.is_pending AND p.path > rtrim(${s.path}, '/') || '/' AND p.path < rtrim(${s.path}, '/') || '0')`
  })

/**
 * Points documents to the scopes of their paths where a change of rights left that for later, then lets queries
 * rely on it. Rights are right before, meanwhile and after; whoever dies here leaves nothing half done.
 *
 * A document made by a transaction that began before its folder was pointed may have taken the folder's old scope,
 * so marks are taken away only after a walk that found nothing to do and began when all transactions of the time of
 * an earlier walk were over.
 *
 * @param waitMs milliseconds to wait for older transactions, after which the rest is left to the next time.
 * @returns how many documents were pointed, and how many scopes are left.
 */
export const pointScopes = async (
  database: Database,
  { waitMs = 30_000 }: { waitMs?: number } = {},
): Promise<PointedScopes> => {
  let pointed = 0
  const giveUp = Date.now() + waitMs
  for (let known: readonly Pending[] = []; ; ) {
    const pending = await pendingScopes(database.sql)
    const found = await walk(database, pending)
    pointed += found.pointed
    const before = new Set(known.map(({ id }) => id))
    const settled = pending.filter(({ id }) => before.has(id))
    if (found.pointed + found.skipped === 0 && settled.length === pending.length) {
      await unmark(database, settled)
      return { pointed, left: 0 }
    }
    const moment = await clock(database)
    while ((await olderTransactions(database, moment)) > 0) {
      if (Date.now() > giveUp) return { pointed, left: pending.length }
      await sleep(200)
    }
    if (found.skipped > 0 && Date.now() > giveUp) return { pointed, left: pending.length }
    known = pending
  }
}
