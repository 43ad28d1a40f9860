import type { Principal } from '../../../core/access/security/index.js'
import type { AccessFacts, DocumentStore, LockMode } from '../../../core/content/stores/index.js'
import { type DocumentRecord, isUuid } from '../../../core/model/properties/index.js'
import { documents } from '../../../schema/documents.js'
import type { Sql } from '../connection/index.js'
import { columnsOf, named, readByKeys, readPage, tableOf } from '../rows/index.js'
import {
  IS_SMALL,
  NO_ACL,
  SELECT_BRIEFLY,
  SELECT_BY_ID,
  SELECT_BY_PATH,
  SELECT_BY_PATHS,
  SELECT_FACTS,
} from './rows.js'

const DOCUMENTS = tableOf(documents)
const d = columnsOf(documents, 'd')

/**
 * `KEY SHARE` conflicts with `UPDATE` alone, so children may be created while a folder's own properties are
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

type FactsOfDocument = AccessFacts & Pick<DocumentRecord, 'id'>

const lockClause = (mode: LockMode | undefined): string => (mode ? LOCKS[mode] : '')

type Share = <Result>(read: () => Promise<Result>) => Promise<Result>

/** Has reads of one document, and of lists of them, wait for the turn of whose they are; absent: they take what they need. */
export type ShareReads = { one?: Share | undefined; many?: Share | undefined }

const unshared: Share = (read) => read()

/**
 * @param options `owner`: who reads; `holdsRows`: every document that is read is held against other writers until the
 * transaction ends.
 */
export const createReads = (
  sql: Sql,
  {
    owner,
    holdsRows,
    keyed = sql,
    share: { one = unshared, many = unshared } = {},
  }: { owner: Principal; holdsRows: boolean; keyed?: Sql | undefined; share?: ShareReads | undefined },
): Pick<DocumentStore, 'get' | 'getMany' | 'briefly' | 'accessOf' | 'getByPaths'> => ({
  get: async (ref, lock = holdsRows ? 'write' : undefined) => {
    const isPath = ref.startsWith('/')
    // PostgreSQL would refuse the comparison instead of finding nothing.
    if (!isPath && !isUuid(ref)) return undefined
    const text = `${isPath ? SELECT_BY_PATH : SELECT_BY_ID} ${lockClause(lock)}`
    const read = (on: Sql) => on.unsafe<DocumentRecord[]>(text, [ref], { prepare: true })
    const [row] = await (lock ? readHeld(() => read(sql)) : one(async () => read(keyed)))
    return row
  },

  getMany: async (ids, { areSmall = false } = {}) => {
    const known = ids.filter(isUuid)
    if (known.length === 0) return []
    const statement = (some: readonly string[], columns: string) => named(sql)<DocumentRecord[]>`
      SELECT ${sql.unsafe(columns)}
      FROM unnest(${sql.array([...some])}::uuid[]) WITH ORDINALITY AS wanted(id, rank)
      JOIN ${DOCUMENTS} d ON ${d.id} = wanted.id
      ${sql.unsafe(areSmall ? `WHERE ${IS_SMALL}` : '')}
      ORDER BY rank ${sql.unsafe(lockClause(holdsRows ? 'write' : undefined))}`
    const read = (some: readonly string[]) =>
      readPage((columns) => statement(some, columns), { atMost: some.length, owner })
    return many(() =>
      readByKeys(known, owner, async (some) => (holdsRows ? readHeld(() => read(some)) : read(some))),
    )
  },

  briefly: async (ids, properties) => {
    const known = ids.filter(isUuid)
    if (known.length === 0) return []
    return sql.unsafe<DocumentRecord[]>(SELECT_BRIEFLY, [known, [...properties]], { prepare: true })
  },

  accessOf: async (ids) => {
    const known = ids.filter(isUuid)
    if (known.length === 0) return []
    return sql.unsafe<FactsOfDocument[]>(SELECT_FACTS, [known], { prepare: true })
  },

  getByPaths: async (paths) =>
    paths.length === 0 ? [] : sql.unsafe<DocumentRecord[]>(SELECT_BY_PATHS, [[...paths]], { prepare: true }),
})
