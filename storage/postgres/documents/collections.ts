import type { Principal } from '../../../core/access/security/index.js'
import type { CollectionStore, Holding, Subtree } from '../../../core/content/stores/index.js'
import { fail, isArchivoltError } from '../../../core/platform/errors/index.js'
import type { WriteAccount } from '../../../core/platform/limits/index.js'
import { documents } from '../../../schema/documents.js'
import { databaseFailure, inSavepoint, type Sql } from '../connection/index.js'
import { columnsOf, named, tableOf, type Writer } from '../rows/index.js'
import { ROW_CHARACTERS } from './counting.js'
import { readable, within } from './rows.js'

const DOCUMENT = columnsOf(documents)
const DOCUMENTS = tableOf(documents)
const c = columnsOf(documents, 'c')
const d = columnsOf(documents, 'd')
const m = columnsOf(documents, 'm')

const UUID = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$'

/** Stored characters of members that one copy may mark: their rows are held while all of them are written. */
const MAX_MARKED = 32 * 1024 * 1024

/**
 * Members are changed from this many stored characters on, then all others: a row is held until the transaction ends, and
 * so a small one, of whomever, is not held while large ones are written.
 */
const LARGE_FIRST = [100_000, 0]

/** Milliseconds that the members of others may be held by one statement, whatever they compress to. */
const HOLDING_MS = 4_000

/** Milliseconds that the removals of one transaction spend on the lists of collections. */
const LEAVING_MS = 2_000

/** Does what holds members of others, of which each statement has its time. @throws tooLarge beyond it. */
const holdingBriefly = async <Result>(
  sql: Sql,
  { ms, work }: { ms: number; work: () => Promise<Result> },
): Promise<Result> => {
  const [before] = await named(sql)<{ limit: string }[]>`
    SELECT current_setting('statement_timeout') AS "limit",
      set_config('statement_timeout', ${String(ms)}, true) AS now`
  const result = await work().catch((error: unknown) => {
    if (databaseFailure(error)?.code !== 'timeout') throw error
    throw fail(
      'tooLarge',
      'The members of the collection are too large to be changed at once: remove some from it first, or ask an administrator',
      { cause: error },
    )
  })
  await named(sql)`SELECT set_config('statement_timeout', ${before!.limit}, true)`
  return result
}

const namedMembers = (sql: Sql, copy: Subtree) => named(sql)`
  SELECT member::uuid AS id, jsonb_agg(${d.id}::text) AS collections
  FROM ${DOCUMENTS} d,
    jsonb_array_elements_text(CASE jsonb_typeof(${d.properties} -> 'collection:documentIds')
      WHEN 'array' THEN ${d.properties} -> 'collection:documentIds' END) AS member
  WHERE ${within(sql, copy)} AND member ~ ${UUID} GROUP BY 1`

/** Members that the collections of a copy have, by their ids; of those that a caller has written there, what he may browse. */
const membersOf = (sql: Sql, copy: Subtree, { isAdministrator, identities }: Principal) => named(sql)`
  SELECT named.* FROM (${namedMembers(sql, copy)}) AS named
  WHERE ${isAdministrator} OR EXISTS (
    SELECT FROM ${DOCUMENTS} d WHERE ${d.id} = named.id AND ${readable(sql, identities)})`

/** How many members the collections of a copy have, and what they take. */
const sizeOfMembers = async (
  sql: Sql,
  copy: Subtree,
  principal: Principal,
): Promise<{ members: number; characters: number }> => {
  const [row] = await named(sql)<{ members: number; characters: number }[]>`
    SELECT count(*)::int AS members,
      coalesce(sum(pg_column_size(${m.properties}) + ${ROW_CHARACTERS}::int), 0)::float8 AS characters
    FROM (${membersOf(sql, copy, principal)}) joined JOIN ${DOCUMENTS} m ON ${m.id} = joined.id AND NOT ${m.isProxy}`
  return row!
}

/** @throws tooLarge, insufficientStorage. */
const countMarked = async (characters: number, writes: WriteAccount): Promise<void> => {
  if (characters > MAX_MARKED)
    throw fail(
      'tooLarge',
      `The members of the collections that are copied take more than ${MAX_MARKED} characters, which administrators alone may copy at once`,
    )
  await writes.spend(characters)
}

/** What may be in a collection of all that is removed. */
const leaving = (sql: Sql, root: Subtree) => named(sql)`
  SELECT ${d.id} FROM ${DOCUMENTS} d
  WHERE ${within(sql, root)} AND (${d.isProxy} OR 'CollectionMember' = ANY (${d.facets}))`

/**
 * Takes what is removed out of the lists of its collections, as far as that takes little time: others make those, as many
 * and as long as they like. An id that stays in a list is passed over by whoever reads it.
 */
const leaveLists = async (sql: Sql, { root, ms }: { root: Subtree; ms: number }): Promise<void> => {
  // Versions keep the members that they were made with: they are never changed.
  const leave = (inner: Sql) => named(inner)`
    WITH gone AS (${leaving(inner, root)}), left_by AS (
      SELECT ${c.id}, array_agg(gone.id::text) AS ids
      FROM gone JOIN ${DOCUMENTS} c
        ON ${c.properties} @> jsonb_build_object('collection:documentIds', jsonb_build_array(gone.id::text))
      WHERE NOT ${c.isVersion} GROUP BY ${c.id}
    )
    UPDATE ${DOCUMENTS} c SET
      ${DOCUMENT.systemToken} = ${c.systemToken} + 1,
      ${DOCUMENT.properties} = jsonb_set(${c.properties}, '{collection:documentIds}', coalesce((
        SELECT jsonb_agg(member ORDER BY rank)
        FROM jsonb_array_elements_text(${c.properties} -> 'collection:documentIds')
          WITH ORDINALITY AS members(member, rank)
        WHERE member <> ALL (left_by.ids)), '[]'))
    FROM left_by WHERE ${c.id} = left_by.id`
  try {
    await inSavepoint(sql, (inner) => holdingBriefly(inner, { ms, work: async () => leave(inner) }))
  } catch (error) {
    if (!isArchivoltError(error) || error.code !== 'tooLarge') throw error
  }
}

/** Without an account nothing limits for how long members of others are held, either. */
type CollectionOptions = Writer & {
  holdingMs?: number
  leavingMs?: number
}

/**
 * The collections that hold a document know of it, and a member is marked with the collections that it is in
 * (workflow-audit.md §9). Both sides are kept right here when one of them is removed or copied. A document is
 * looked up in collections by containment, which the index `documents_properties` gives.
 */
export const createCollections = (
  sql: Sql,
  { principal, writes, holdingMs = HOLDING_MS, leavingMs = LEAVING_MS }: CollectionOptions,
): CollectionStore => {
  let leavingLeft = leavingMs
  const isCollection = named(sql)`jsonb_typeof(${d.properties} -> 'collection:documentIds') = 'array'`

  /** Does it for large members, then for all others. Administrators may take their time. */
  const largeFirst = (work: (least: number) => Promise<number>): Promise<number[]> => {
    const inTurn = async (): Promise<number[]> => {
      const results: number[] = []
      for (const least of LARGE_FIRST) results.push(await work(least))
      return results
    }
    if (!writes) return inTurn()
    return holdingBriefly(sql, { ms: holdingMs, work: inTurn }).catch((error: unknown) => {
      // What it had written until then is undone, and was written all the same.
      writes.owe(MAX_MARKED)
      throw error
    })
  }

  /** Members of at least some characters are members no longer. @returns the characters that it has written. */
  const free = async (root: Subtree, least: number): Promise<number> => {
    const [freed] = await named(sql)<{ characters: number }[]>`
      WITH gone AS (
        SELECT ${d.id}, ${d.properties} -> 'collection:documentIds' AS members FROM ${DOCUMENTS} d
        WHERE ${within(sql, root)} AND ${isCollection}
      ), freed AS (
        SELECT member::uuid AS id, array_agg(gone.id::text) AS collections
        FROM gone, jsonb_array_elements_text(gone.members) AS member
        WHERE member ~ ${UUID} GROUP BY 1
      ), marks AS (
        SELECT ${m.id}, coalesce((
          SELECT jsonb_agg(collection)
          FROM jsonb_array_elements_text(${m.properties} -> 'collectionMember:collectionIds') AS collection
          WHERE collection <> ALL (freed.collections)), '[]') AS kept
        FROM freed JOIN ${DOCUMENTS} m ON ${m.id} = freed.id
        WHERE pg_column_size(${m.properties}) >= ${least}::int
          AND jsonb_typeof(${m.properties} -> 'collectionMember:collectionIds') = 'array'
          AND ${m.properties} -> 'collectionMember:collectionIds' ?| freed.collections
      ), changed AS (
      UPDATE ${DOCUMENTS} m SET
        ${DOCUMENT.systemToken} = ${m.systemToken} + 1,
        ${DOCUMENT.facets} = CASE WHEN kept = '[]' THEN array_remove(${m.facets}, 'CollectionMember') ELSE ${m.facets} END,
        ${DOCUMENT.properties} = CASE WHEN kept = '[]' THEN ${m.properties} - 'collectionMember:collectionIds'
          ELSE jsonb_set(${m.properties}, '{collectionMember:collectionIds}', kept) END
      FROM marks WHERE ${m.id} = marks.id
      RETURNING pg_column_size(${m.properties}) AS characters)
      SELECT coalesce(sum(characters), 0)::float8 AS characters FROM changed`
    return freed!.characters
  }

  /** Marks members of at least some characters that are not marked yet. @returns in how many collections one is at most. */
  const mark = async (copy: Subtree, least: number): Promise<number> => {
    const [row] = await named(sql)<{ most: number }[]>`
      WITH joined AS (${membersOf(sql, copy, principal)}), marked AS (
      UPDATE ${DOCUMENTS} m SET
        ${DOCUMENT.systemToken} = ${m.systemToken} + 1,
        ${DOCUMENT.facets} = CASE WHEN 'CollectionMember' = ANY (${m.facets}) THEN ${m.facets}
          ELSE array_append(${m.facets}, 'CollectionMember') END,
        ${DOCUMENT.properties} = jsonb_set(${m.properties}, '{collectionMember:collectionIds}',
          coalesce(${m.properties} -> 'collectionMember:collectionIds', '[]') || joined.collections)
      FROM joined WHERE ${m.id} = joined.id AND NOT ${m.isProxy}
        AND pg_column_size(${m.properties}) >= ${least}::int
        AND NOT coalesce(${m.properties} -> 'collectionMember:collectionIds', '[]') @> joined.collections
      RETURNING jsonb_array_length(${m.properties} -> 'collectionMember:collectionIds') AS count
      )
      SELECT coalesce(max(count), 0) AS most FROM marked`
    return row!.most
  }

  return {
    holding: async (documentIds) =>
      named(sql)<Holding[]>`
      SELECT ${d.id} AS collection, wanted.id AS member FROM unnest(${sql.array([...documentIds])}::text[]) AS wanted(id)
      JOIN ${DOCUMENTS} d
        ON ${d.properties} @> jsonb_build_object('collection:documentIds', jsonb_build_array(wanted.id))`,

    leave: async (root) => {
      const [row] = await named(sql)<{ hasMembers: boolean; hasCollections: boolean }[]>`
        SELECT EXISTS (${leaving(sql, root)}) AS "hasMembers",
          EXISTS (SELECT FROM ${DOCUMENTS} d WHERE ${within(sql, root)} AND ${isCollection}) AS "hasCollections"`
      const { hasMembers, hasCollections } = row!
      if (hasMembers && leavingLeft >= 1) {
        const begun = performance.now()
        await leaveLists(sql, { root, ms: Math.floor(leavingLeft) })
        leavingLeft -= performance.now() - begun
      }
      if (!hasCollections) return
      for (const characters of await largeFirst((least) => free(root, least))) writes?.owe(characters)
    },

    markCopiedMembers: async (copy) => {
      await named(sql)`
      UPDATE ${DOCUMENTS} d SET
        ${DOCUMENT.facets} = array_remove(${d.facets}, 'CollectionMember'),
        ${DOCUMENT.properties} = ${d.properties} - 'collectionMember:collectionIds'
      WHERE ${within(sql, copy)}
        AND ('CollectionMember' = ANY (${d.facets}) OR ${d.properties} ? 'collectionMember:collectionIds')`
      const { members, characters } = await sizeOfMembers(sql, copy, principal)
      if (members === 0) return 0
      if (writes) await countMarked(characters, writes)
      return Math.max(...(await largeFirst((least) => mark(copy, least))))
    },
  }
}
