import type { AceColumn, Source, ValuePlace } from '../../../core/model/nxql/index.js'
import type { Context } from './context.js'
import { asText } from './json-path.js'
import type { SqlPlace } from './place.js'
import type { Scalar } from './scalar.js'
import { type Table, tableOfElements } from './tables.js'

/** Special properties that a document has several of: tags, entries of local ACLs, keys of blobs. */

const TAGS = 'nxtag:tags'

/** One element: any, or that of a variable which is the same throughout the query. */
const elementOf = (
  { variable, offset }: { variable: string | null; offset: number },
  table: (alias: string) => Table,
  context: Context,
): Pick<SqlPlace, 'wildcards' | 'isCorrelated'> & { alias: string } => {
  if (variable !== null) {
    const alias = context.correlations.variable(variable, offset, table)
    return { alias, wildcards: [], isCorrelated: true }
  }
  const alias = context.alias()
  return { alias, wildcards: [table(alias)], isCorrelated: false }
}

export const tagPlace = (
  variable: string | null,
  { reference: { offset } }: ValuePlace,
  context: Context,
): SqlPlace => {
  const table = (name: string) => tableOfElements({ base: 'd.properties', steps: [TAGS] }, name)
  const { alias, ...element } = elementOf({ variable, offset }, table, context)
  return {
    scalar: { kind: 'text', sql: asText({ base: `${alias}.value`, steps: ['label'] }) },
    ...element,
    list: null,
    containing: (value) => `{"${TAGS}":[{"label":${value}}]}`,
    json: null,
  }
}

/** A status is told for entries with dates alone, by the clock of the query. */
const statusText = (alias: string, instant: string): string =>
  `(CASE WHEN ${alias}.begins_at IS NULL AND ${alias}.ends_at IS NULL THEN NULL` +
  ` WHEN ${alias}.ends_at <= ${instant} THEN 2 WHEN ${alias}.begins_at > ${instant} THEN 0 ELSE 1 END)`

const ACE_SCALARS: { readonly [column in AceColumn]: (alias: string, now: () => string) => Scalar } = {
  principal: (alias) => ({ kind: 'text', sql: `${alias}.username` }),
  permission: (alias) => ({ kind: 'text', sql: `${alias}.permission` }),
  grant: (alias) => ({ kind: 'boolean', sql: `${alias}.granted` }),
  name: (alias) => ({ kind: 'text', sql: `${alias}.acl` }),
  pos: (alias) => ({ kind: 'number', sql: `${alias}.position` }),
  creator: (alias) => ({ kind: 'text', sql: `${alias}.creator` }),
  begin: (alias) => ({ kind: 'instant', sql: `${alias}.begins_at` }),
  end: (alias) => ({ kind: 'instant', sql: `${alias}.ends_at` }),
  status: (alias, now) => ({ kind: 'number', sql: statusText(alias, now()) }),
}

/** Local entries as they were set; what is inherited is not among them. */
export const acePlace = (
  { variable, column }: Extract<Source, { kind: 'ace' }>,
  { reference: { offset } }: ValuePlace,
  context: Context,
): SqlPlace => {
  const table = (name: string): Table => ({
    alias: name,
    sql: `document_acls AS ${name}`,
    on: `${name}.document_id = d.id`,
    rank: `${name}.position`,
  })
  const { alias, ...element } = elementOf({ variable, offset }, table, context)
  const prefilter = (values: string) =>
    `d.id IN (SELECT a.document_id FROM document_acls a WHERE a.username = ANY(${values}))`
  return {
    scalar: ACE_SCALARS[column](alias, context.boundNow),
    ...element,
    list: null,
    containing: null,
    json: null,
    ...(column === 'principal' && { prefilter }),
  }
}

/** Every blob of a document, at any depth: its digest is its key in the blob store. */
const BLOB_KEYS = "jsonb_path_query(d.properties, 'strict $.**.digest')"

export const blobKeysPlace = (context: Context): SqlPlace => {
  const alias = context.alias()
  return {
    scalar: { kind: 'text', sql: asText({ base: `${alias}.value`, steps: [] }) },
    wildcards: [],
    list: `${BLOB_KEYS} WITH ORDINALITY AS ${alias}(value, rank)`,
    isCorrelated: false,
    containing: null,
    json: "jsonb_path_query_array(d.properties, 'strict $.**.digest')",
  }
}
