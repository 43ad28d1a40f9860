import type { FulltextModel } from '../../../core/model/content-model/index.js'
import type { Sql } from '../connection/index.js'

type Owners = { types: string[]; facets: string[] }

const ownersOf = (owners: readonly string[]): Owners => {
  const of = (kind: string) =>
    owners.filter((owner) => owner.startsWith(kind)).map((owner) => owner.slice(kind.length))
  return { types: of('type:'), facets: of('facet:') }
}

/** Replaces the rules, and tells whose have changed. */
const replaceFields = async (sql: Sql, { fields }: FulltextModel): Promise<string[]> => {
  const rows = fields.map(({ owner, a, b, c, nested }) => ({
    owner,
    a,
    b,
    c,
    nested_keys: nested.map(({ key }) => key),
    nested_paths: nested.map(({ path }) => path),
  }))
  const changed = await sql<{ owner: string }[]>`
    WITH wanted AS MATERIALIZED (
      SELECT w.owner, w.a, w.b, w.c, w.nested_keys, w.nested_paths::jsonpath[]
      FROM jsonb_to_recordset(${sql.json(rows as never)})
        AS w(owner text, a text[], b text[], c text[], nested_keys text[], nested_paths text[])
    ), gone AS (
      DELETE FROM fulltext_fields f WHERE NOT EXISTS (SELECT FROM wanted w WHERE w.owner = f.owner)
      RETURNING f.owner
    ), stored AS (
      INSERT INTO fulltext_fields AS f SELECT * FROM wanted
      ON CONFLICT (owner) DO UPDATE SET a = EXCLUDED.a, b = EXCLUDED.b, c = EXCLUDED.c,
        nested_keys = EXCLUDED.nested_keys, nested_paths = EXCLUDED.nested_paths
      WHERE (f.a, f.b, f.c, f.nested_keys, f.nested_paths::text[]) IS DISTINCT FROM
        (EXCLUDED.a, EXCLUDED.b, EXCLUDED.c, EXCLUDED.nested_keys, EXCLUDED.nested_paths::text[])
      RETURNING f.owner
    )
    SELECT owner FROM gone UNION ALL SELECT owner FROM stored`
  return changed.map(({ owner }) => owner)
}

const indexAnew = async (sql: Sql, { types, facets }: Owners): Promise<void> => {
  const concerned = sql`(d.type = ANY (${types}) OR d.facets && ${facets}::text[])`
  await sql`
    DELETE FROM document_texts t USING documents d
    WHERE t.document_id = d.id AND ${concerned}
      AND (archivolt_fulltext_fields(d.type, d.facets)).owner IS NULL`
  await sql`
    INSERT INTO document_texts AS t (document_id, words)
    SELECT d.id, archivolt_words(archivolt_document_texts(f, d.properties))
    FROM documents d, LATERAL archivolt_fulltext_fields(d.type, d.facets) f
    WHERE ${concerned} AND f.owner IS NOT NULL
    ON CONFLICT (document_id) DO UPDATE SET words = EXCLUDED.words || coalesce(t.binary_words, '')`
}

/**
 * Makes the full-text index follow the rules of the content model. Where they have changed, the documents that
 * they concern are indexed anew in the same transaction, about a minute for a million, and writers wait: no
 * document is ever indexed by rules that are not in force.
 */
export const applyFulltextRules = async (sql: Sql, fulltext: FulltextModel): Promise<void> => {
  await sql.unsafe('SET LOCAL statement_timeout = 0', [], { patient: true })
  await sql`LOCK TABLE fulltext_fields IN SHARE ROW EXCLUSIVE MODE`
  const changed = await replaceFields(sql, fulltext)
  if (changed.length === 0) return
  await sql`LOCK TABLE fulltext_fields IN ACCESS EXCLUSIVE MODE`
  await indexAnew(sql, ownersOf(changed))
}
