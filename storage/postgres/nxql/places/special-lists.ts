import type { AceColumn, Source, ValuePlace } from '../../../../core/model/nxql/index.js'
import type { Context } from '../context.js'
import { asText } from './json-path.js'
import { ACE, DOCUMENT_ACLS, d } from './names.js'
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
  const table = (name: string) => tableOfElements({ base: d.properties, steps: [TAGS] }, name)
  const { alias, ...element } = elementOf({ variable, offset }, table, context)
  return {
    scalar: { kind: 'text', sql: asText({ base: `${alias}.value`, steps: ['label'] }) },
    ...element,
    list: null,
    containing: (value) => `{"${TAGS}":[{"label":${value}}]}`,
    json: null,
  }
}

/** A status is computed for entries with dates alone, by the clock of the query. */
const statusText = (alias: string, instant: string): string =>
  `(CASE WHEN ${alias}.${ACE.beginsAt} IS NULL AND ${alias}.${ACE.endsAt} IS NULL THEN NULL` +
  ` WHEN ${alias}.${ACE.endsAt} <= ${instant} THEN 2 WHEN ${alias}.${ACE.beginsAt} > ${instant} THEN 0 ELSE 1 END)`

const ACE_SCALARS: { readonly [column in AceColumn]: (alias: string, now: () => string) => Scalar } = {
  principal: (alias) => ({ kind: 'text', sql: `${alias}.${ACE.username}` }),
  permission: (alias) => ({ kind: 'text', sql: `${alias}.${ACE.permission}` }),
  grant: (alias) => ({ kind: 'boolean', sql: `${alias}.${ACE.granted}` }),
  name: (alias) => ({ kind: 'text', sql: `${alias}.${ACE.acl}` }),
  pos: (alias) => ({ kind: 'number', sql: `${alias}.${ACE.position}` }),
  creator: (alias) => ({ kind: 'text', sql: `${alias}.${ACE.creator}` }),
  begin: (alias) => ({ kind: 'instant', sql: `${alias}.${ACE.beginsAt}` }),
  end: (alias) => ({ kind: 'instant', sql: `${alias}.${ACE.endsAt}` }),
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
    sql: `${DOCUMENT_ACLS} AS ${name}`,
    on: `${name}.${ACE.documentId} = ${d.id}`,
    rank: `${name}.${ACE.position}`,
  })
  const { alias, ...element } = elementOf({ variable, offset }, table, context)
  const prefilter = (values: string) =>
    `${d.id} IN (SELECT a.${ACE.documentId} FROM ${DOCUMENT_ACLS} a WHERE a.${ACE.username} = ANY(${values}))`
  return {
    scalar: ACE_SCALARS[column](alias, context.boundNow),
    ...element,
    list: null,
    containing: null,
    json: null,
    ...(column === 'principal' && { prefilter }),
  }
}

/** Every blob of a document, at any depth, by the digest that clients know as its key. */
const BLOB_KEYS = `jsonb_path_query(${d.properties}, 'strict $.**.digest')`

export const blobKeysPlace = (context: Context): SqlPlace => {
  const alias = context.alias()
  return {
    scalar: { kind: 'text', sql: asText({ base: `${alias}.value`, steps: [] }) },
    wildcards: [],
    list: `${BLOB_KEYS} WITH ORDINALITY AS ${alias}(value, rank)`,
    isCorrelated: false,
    containing: null,
    json: `jsonb_path_query_array(${d.properties}, 'strict $.**.digest')`,
  }
}
