import type { IndexedDocument, IndexFeed } from '../../../core/content/stores/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import { documents } from '../../../schema/documents.js'
import { documentTexts } from '../../../schema/fulltext.js'
import type { Sql } from '../connection/index.js'
import { columnsOf, named, RECORD_COLUMNS, tableOf, weightOf } from '../rows/index.js'
import { wordsOfVector } from './tsvector.js'

const DOCUMENTS = tableOf(documents)
const TEXTS = tableOf(documentTexts)
const D = columnsOf(documents)
const d = columnsOf(documents, 'd')
const l = columnsOf(documents, 'l')
const t = columnsOf(documentTexts, 't')

type Row = DocumentRecord & { scope: number | null; ancestors: string[] | null; words: string | null }

/** Words as the full-text index has them. */
const WORDS = `(SELECT ${t.words}::text FROM ${TEXTS} t WHERE ${t.documentId} = ${d.id})`

/** A version is browsed as its live document is. */
const PLACE = `coalesce(${d.path}, (SELECT ${l.path} FROM ${DOCUMENTS} l WHERE ${l.id} = ${d.versionSeriesId}))`

const READ = `
  SELECT ${RECORD_COLUMNS}, archivolt_scope_of(${PLACE}) AS scope, ${WORDS} AS words, (
    SELECT array_agg(${l.id} ORDER BY length(${l.path})) FROM ${DOCUMENTS} l
    WHERE ${d.path} IS NOT NULL AND ${l.path} = ANY (archivolt_ancestors(${d.path})) AND ${l.id} <> ${d.id}) AS ancestors
  FROM ${DOCUMENTS} d WHERE ${d.id} = ANY ($1::uuid[])`

/** Documents of one statement, and characters after which no further one is made: documents may be large. */
const ROWS = 20
const MAX_CHARACTERS = 32 * 1024 * 1024

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
    let at = 0
    for (let weight = 0; at < ids.length && weight < MAX_CHARACTERS; at += ROWS) {
      const rows = await sql.unsafe<Row[]>(READ, [ids.slice(at, at + ROWS)] as never[], { prepare: true })
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

  below: async (id, after, limit) => [
    ...(await named(sql)<{ id: string; path: string }[]>`
      SELECT ${d.id} AS id, ${d.path} AS path
      FROM (SELECT CASE ${l.path} WHEN '/' THEN '' ELSE ${l.path} END AS prefix FROM ${DOCUMENTS} l WHERE ${l.id} = ${id}) root,
        ${DOCUMENTS} d
      WHERE ${d.path} > coalesce(${after}::text, root.prefix || '/') COLLATE "C"
        AND ${d.path} < (root.prefix || '0') COLLATE "C"
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
