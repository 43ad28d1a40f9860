import type { FulltextModel } from '../../../core/model/content-model/index.js'
import { documents } from '../../../schema/documents.js'
import { documentTexts, fulltextFields } from '../../../schema/fulltext.js'
import type { Sql } from '../connection/index.js'
import { columnsOf, named, tableOf } from '../rows/index.js'

const TEXTS = columnsOf(documentTexts)
const DOCUMENT_TEXTS = tableOf(documentTexts)
const DOCUMENTS = tableOf(documents)
const FULLTEXT_FIELDS = tableOf(fulltextFields)
const d = columnsOf(documents, 'd')
const f = columnsOf(fulltextFields, 'f')
const t = columnsOf(documentTexts, 't')

type Owners = { types: string[]; facets: string[] }

const ownersOf = (owners: readonly string[]): Owners => {
  const of = (kind: string) =>
    owners.filter((owner) => owner.startsWith(kind)).map((owner) => owner.slice(kind.length))
  return { types: of('type:'), facets: of('facet:') }
}

/** Replaces the rules, and returns whose have changed. */
const replaceFields = async (sql: Sql, { fields }: FulltextModel): Promise<string[]> => {
  const rows = fields.map(({ owner, a, b, c, nested }) => ({
    owner,
    a,
    b,
    c,
    nested_keys: nested.map(({ key }) => key),
    nested_paths: nested.map(({ path }) => path),
  }))
  const changed = await named(sql)<{ owner: string }[]>`
    WITH wanted AS MATERIALIZED (
      SELECT w.owner, w.a, w.b, w.c, w.nested_keys, w.nested_paths::jsonpath[]
      FROM jsonb_to_recordset(${sql.json(rows as never)})
        AS w(owner text, a text[], b text[], c text[], nested_keys text[], nested_paths text[])
    ), gone AS (
      DELETE FROM ${FULLTEXT_FIELDS} f WHERE NOT EXISTS (SELECT FROM wanted w WHERE w.owner = ${f.owner})
      RETURNING ${f.owner}
    ), stored AS (
      INSERT INTO ${FULLTEXT_FIELDS} AS f SELECT * FROM wanted
      ON CONFLICT (owner) DO UPDATE SET a = EXCLUDED.a, b = EXCLUDED.b, c = EXCLUDED.c,
        nested_keys = EXCLUDED.nested_keys, nested_paths = EXCLUDED.nested_paths
      WHERE (${f.a}, ${f.b}, ${f.c}, ${f.nestedKeys}, ${f.nestedPaths}::text[]) IS DISTINCT FROM
        (EXCLUDED.a, EXCLUDED.b, EXCLUDED.c, EXCLUDED.nested_keys, EXCLUDED.nested_paths::text[])
      RETURNING ${f.owner}
    )
    SELECT owner FROM gone UNION ALL SELECT owner FROM stored`
  return changed.map(({ owner }) => owner)
}

const indexAnew = async (sql: Sql, { types, facets }: Owners): Promise<void> => {
  const concerned = named(sql)`(${d.type} = ANY (${types}) OR ${d.facets} && ${facets}::text[])`
  await named(sql)`
    DELETE FROM ${DOCUMENT_TEXTS} t USING ${DOCUMENTS} d
    WHERE ${t.documentId} = ${d.id} AND ${concerned}
      AND (archivolt_fulltext_fields(${d.type}, ${d.facets})).owner IS NULL`
  await named(sql)`
    INSERT INTO ${DOCUMENT_TEXTS} AS t (${TEXTS.documentId}, ${TEXTS.words})
    SELECT ${d.id}, archivolt_words(archivolt_document_texts(f, ${d.properties}))
    FROM ${DOCUMENTS} d, LATERAL archivolt_fulltext_fields(${d.type}, ${d.facets}) f
    WHERE ${concerned} AND ${f.owner} IS NOT NULL
    ON CONFLICT (document_id) DO UPDATE SET words = EXCLUDED.words || coalesce(${t.binaryWords}, '')`
}

/**
 * Makes the full-text index follow the rules of the content model. Where they have changed, the documents that
 * they concern are indexed again in the same transaction, about a minute for a million, and writers wait: no
 * document is ever indexed by rules that are not in force.
 */
export const applyFulltextRules = async (sql: Sql, fulltext: FulltextModel): Promise<void> => {
  await sql.unsafe('SET LOCAL statement_timeout = 0', [], { patient: true })
  await named(sql)`LOCK TABLE ${FULLTEXT_FIELDS} IN SHARE ROW EXCLUSIVE MODE`
  const changed = await replaceFields(sql, fulltext)
  if (changed.length === 0) return
  await named(sql)`LOCK TABLE ${FULLTEXT_FIELDS} IN ACCESS EXCLUSIVE MODE`
  await indexAnew(sql, ownersOf(changed))
}
