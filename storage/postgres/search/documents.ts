import type { IndexedDocument, IndexFeed } from '../../../core/content/stores/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import { weightOf } from '../../../core/platform/limits/index.js'
import { aclScopes, documents } from '../../../schema/documents.js'
import { documentTexts } from '../../../schema/fulltext.js'
import type { Sql } from '../connection/index.js'
import { columnsOf, named, RECORD_COLUMNS, tableOf } from '../rows/index.js'
import { wordsOfVector } from './tsvector.js'

const DOCUMENTS = tableOf(documents)
const SCOPES = tableOf(aclScopes)
const TEXTS = tableOf(documentTexts)
const D = columnsOf(documents)
const d = columnsOf(documents, 'd')
const l = columnsOf(documents, 'l')
const p = columnsOf(documents, 'p')
const s = columnsOf(aclScopes, 's')
const t = columnsOf(documentTexts, 't')

type Row = DocumentRecord & { scope: number | null; ancestors: string[] | null; words: string | null }

/** Words as the full-text index has them. */
const WORDS = `(SELECT ${t.words}::text FROM ${TEXTS} t WHERE ${t.documentId} = ${d.id})`

/** A version is browsed as its live document is. */
const PLACE = `coalesce(${d.path}, (SELECT ${l.path} FROM ${DOCUMENTS} l WHERE ${l.id} = ${d.versionSeriesId}))`

/** What is above a document, and its scope unless it has one of its own, are looked up once for each parent. */
const READ = `
  WITH parents AS MATERIALIZED (
    SELECT ${p.id} AS id, archivolt_scope_of(${p.path}) AS scope, (
      SELECT array_agg(${l.id} ORDER BY length(${l.path})) FROM ${DOCUMENTS} l
      WHERE ${l.path} = ANY (archivolt_ancestors(${p.path}))) AS line
    FROM ${DOCUMENTS} p
    WHERE ${p.id} IN (SELECT ${d.parentId} FROM ${DOCUMENTS} d WHERE ${d.id} = ANY ($1::uuid[]) AND ${d.path} IS NOT NULL))
  SELECT ${RECORD_COLUMNS}, ${WORDS} AS words, parents.line AS ancestors,
    CASE WHEN parents.id IS NULL THEN archivolt_scope_of(${PLACE})
      ELSE coalesce((SELECT ${s.id} FROM ${SCOPES} s WHERE ${s.path} = ${d.path}), parents.scope) END AS scope
  FROM ${DOCUMENTS} d LEFT JOIN parents ON ${d.path} IS NOT NULL AND parents.id = ${d.parentId}
  WHERE ${d.id} = ANY ($1::uuid[])`

/** Bytes of documents as they are stored, without reading those that are kept apart. */
const SIZES = `
  SELECT ${d.id} AS id, pg_column_size(${d.properties}) + coalesce(
    (SELECT pg_column_size(${t.words}) FROM ${TEXTS} t WHERE ${t.documentId} = ${d.id}), 0) AS bytes
  FROM ${DOCUMENTS} d WHERE ${d.id} = ANY ($1::uuid[])`

/**
 * Documents of one statement, and bytes of them as they are stored, of which the last may go beyond; characters after which
 * no further statement is made: documents may be large.
 */
const ROWS = 250
const MAX_BYTES = 4 * 1024 * 1024

/** Documents that are read without looking at their sizes before. */
const FEW = 20
const MAX_CHARACTERS = 32 * 1024 * 1024

const sizesOf = async (sql: Sql, ids: readonly string[]): Promise<Map<string, number>> => {
  const rows = await sql.unsafe<{ id: string; bytes: number }[]>(SIZES, [[...ids]] as never[], {
    prepare: true,
  })
  return new Map(rows.map(({ id, bytes }) => [id, bytes]))
}

/** How many of some ids one statement reads. */
const rowsFrom = (ids: readonly string[], at: number, bytes: ReadonlyMap<string, number>): number => {
  let sum = 0
  let count = 0
  while (count < ROWS && at + count < ids.length && sum < MAX_BYTES) {
    sum += bytes.get(ids[at + count]!) ?? 0
    count += 1
  }
  return count
}

const indexedOf = ({ scope, ancestors, words, ...record }: Row): IndexedDocument => ({
  record,
  scope,
  ancestors: ancestors ?? [],
  words: wordsOfVector(words ?? ''),
})

const idsOf = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id)

export const createFeedDocuments = (
  sql: Sql,
): Pick<IndexFeed, 'read' | 'page' | 'count' | 'below' | 'children' | 'related'> => ({
  read: async (ids) => {
    const found: IndexedDocument[] = []
    const bytes = ids.length > FEW ? await sizesOf(sql, ids) : new Map<string, number>()
    let at = 0
    for (let weight = 0; at < ids.length && weight < MAX_CHARACTERS; ) {
      const wanted = ids.slice(at, at + rowsFrom(ids, at, bytes))
      const rows = await sql.unsafe<Row[]>(READ, [wanted] as never[], { prepare: true })
      at += wanted.length
      weight += weightOf(rows)
      found.push(...rows.map(indexedOf))
    }
    return { documents: found, rest: ids.slice(at) }
  },

  page: async (after, limit) =>
    idsOf(
      await named(sql)<{ id: string }[]>`
        SELECT ${D.id} AS id FROM ${DOCUMENTS}
        WHERE ${D.id} > coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000')
        ORDER BY ${D.id} LIMIT ${limit}`,
    ),

  count: async () => {
    const [row] = await named(sql)<{ count: number }[]>`SELECT count(*)::int AS count FROM ${DOCUMENTS}`
    return row?.count ?? 0
  },

  // Of one value each, the bounds are looked up in the index of paths; joined with them, it would be read from its beginning.
  below: async (id, after, limit) => [
    ...(await named(sql)<{ id: string; path: string }[]>`
      WITH root AS MATERIALIZED (
        SELECT CASE ${l.path} WHEN '/' THEN '' ELSE ${l.path} END AS prefix FROM ${DOCUMENTS} l WHERE ${l.id} = ${id})
      SELECT ${d.id} AS id, ${d.path} AS path FROM ${DOCUMENTS} d
      WHERE ${d.path} > coalesce(${after}::text, (SELECT prefix || '/' FROM root)) COLLATE "C"
        AND ${d.path} < (SELECT prefix || '0' FROM root) COLLATE "C"
      ORDER BY ${d.path} LIMIT ${limit}`),
  ],

  children: async (id) =>
    idsOf(
      await named(sql)<{ id: string }[]>`SELECT ${D.id} AS id FROM ${DOCUMENTS} WHERE ${D.parentId} = ${id}`,
    ),

  related: async (ids) =>
    idsOf(
      await named(sql)<{ id: string }[]>`
        SELECT ${D.id} AS id FROM ${DOCUMENTS} WHERE ${D.versionSeriesId} = ANY (${sql.array([...ids])}::uuid[]) AND ${D.isVersion}
        UNION
        SELECT ${D.id} AS id FROM ${DOCUMENTS} WHERE ${D.proxyTargetId} = ANY (${sql.array([...ids])}::uuid[])`,
    ),
})
