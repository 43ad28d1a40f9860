import type { DocumentStore, LockMode, SubtreeKind } from '../../../core/content/documents/index.js'
import { ACL_IN_FORCE, type Statement } from '../../../core/model/nxql/index.js'
import type { DocumentRecord, PropertyValue } from '../../../core/model/properties/index.js'
import type { Sql } from '../database.js'
import { readByKeys, readRows } from './bounded.js'
import {
  isUuid,
  KIND,
  NO_ACL,
  recordColumns,
  SELECT_BY_ID,
  SELECT_BY_PATH,
  SELECT_BY_PATHS,
  within,
} from './rows.js'

/**
 * `KEY SHARE` conflicts with `UPDATE` alone, so children may be made while a folder's own properties are
 * written, but not while it is moved, removed or given another ACL.
 */
const LOCKS: { [mode in LockMode]: string } = {
  write: 'FOR NO KEY UPDATE OF d',
  parent: 'FOR KEY SHARE OF d',
  structure: 'FOR UPDATE OF d',
}

/**
 * Reads rows that are held. A statement that waited for a row sees it as it is then, but all other tables as they
 * were when it began: of a document that got the first ACL meanwhile it does not find the scope, and gives the ACL
 * that grants nothing. The next statement sees both.
 */
const readHeld = async <Record extends { aclId: number }>(
  read: () => PromiseLike<readonly Record[]>,
): Promise<readonly Record[]> => {
  const rows = await read()
  return rows.some(({ aclId }) => aclId === NO_ACL) ? read() : rows
}

const lockClause = (mode: LockMode | undefined): string => (mode ? LOCKS[mode] : '')

/** Compiled queries that the connections of one database have prepared. */
export type PreparedTexts = Set<string>

/** Room for the queries that a deployment repeats. */
const MAX_PREPARED = 500
const MAX_PREPARED_LENGTH = 4_000

/**
 * Whether to prepare a compiled query. Its shape comes from a caller, and what a connection has prepared it
 * keeps, so only short texts are, and only so many of them. A search of words is planned for its words each time:
 * a plan for any words would look through every document.
 */
const isPrepared = (preparedTexts: PreparedTexts, text: string): boolean => {
  if (preparedTexts.has(text)) return true
  if (text.includes('@@') || text.length > MAX_PREPARED_LENGTH || preparedTexts.size >= MAX_PREPARED)
    return false
  preparedTexts.add(text)
  return true
}

export const createReads = (
  sql: Sql,
  { holdsRows, preparedTexts }: { holdsRows: boolean; preparedTexts: PreparedTexts },
): Pick<
  DocumentStore,
  | 'get'
  | 'getMany'
  | 'getByPaths'
  | 'children'
  | 'query'
  | 'count'
  | 'counts'
  | 'records'
  | 'explain'
  | 'queryIds'
  | 'subtreeKinds'
> => {
  const send = <Rows extends readonly object[]>({ text, parameters }: Statement) =>
    sql.unsafe<Rows & object[]>(text, parameters as never[], { prepare: isPrepared(preparedTexts, text) })

  return {
    get: async (ref, lock = holdsRows ? 'write' : undefined) => {
      const isPath = ref.startsWith('/')
      if (!isPath && !isUuid(ref)) return undefined
      const text = `${isPath ? SELECT_BY_PATH : SELECT_BY_ID} ${lockClause(lock)}`
      const read = () => sql.unsafe<DocumentRecord[]>(text, [ref], { prepare: true })
      const [row] = await (lock ? readHeld(read) : read())
      return row
    },

    getMany: async (ids) => {
      const known = ids.filter(isUuid)
      if (known.length === 0) return []
      const read = (some: readonly string[]) => sql<DocumentRecord[]>`
      SELECT ${recordColumns(sql)}
      FROM unnest(${sql.array([...some])}::uuid[]) WITH ORDINALITY AS wanted(id, rank)
      JOIN documents d ON d.id = wanted.id
      ORDER BY rank ${sql.unsafe(lockClause(holdsRows ? 'write' : undefined))}`
      return readByKeys(known, async (some) => (holdsRows ? readHeld(() => read(some)) : read(some)))
    },

    getByPaths: async (paths) =>
      paths.length === 0
        ? []
        : sql.unsafe<DocumentRecord[]>(SELECT_BY_PATHS, [[...paths]], { prepare: true }),

    children: (parentId) =>
      readRows(
        sql<DocumentRecord[]>`
        SELECT ${recordColumns(sql)} FROM documents d
        WHERE d.parent_id = ${parentId} ORDER BY d.position NULLS LAST, d.name`,
        Number.POSITIVE_INFINITY,
      ),

    query: (plan, page) => readRows<DocumentRecord[]>(send(plan.rows(page)), page.limit),

    count: async (plan, atMost) => {
      const statement = plan.count(atMost === undefined ? undefined : atMost + 1)
      const [row] = await send<{ count: string }[]>(statement)
      return Number(row?.count ?? 0)
    },

    records: async (plan, { limit, offset }) => {
      const statement = send<{ [column: string]: PropertyValue }[]>(plan.rows({ limit, offset }))
      const rows = await readRows<{ [column: string]: PropertyValue }[]>(statement, limit)
      return rows.map((row) =>
        Object.fromEntries(plan.keys.map((key, position) => [key, row[`c${position}`] ?? null])),
      )
    },

    explain: async ({ text, parameters }) => {
      const lines = await sql.unsafe<{ 'QUERY PLAN': string }[]>(`EXPLAIN ${text}`, parameters as never[])
      return lines.map((line) => line['QUERY PLAN'])
    },

    counts: async (statement) => {
      const rows = await send<{ key: string | null; count: string }[]>(statement)
      return rows.map(({ key, count }) => ({ key, count: Number(count) }))
    },

    queryIds: async (plan, limit) => {
      const rows = await send<{ id: string }[]>(plan.ids({ limit }))
      return rows.map((row) => row.id)
    },

    subtreeKinds: async (root) => sql<SubtreeKind[]>`
      SELECT DISTINCT ${sql.unsafe(KIND)} AS kind, ${sql.unsafe(ACL_IN_FORCE)} AS "aclId", d.type, d.facets,
             d.lifecycle_state AS "lifecycleState", d.lock_owner AS "lockOwner", d.is_version AS "isVersion"
      FROM documents d WHERE ${within(sql, root)}`,
  }
}
