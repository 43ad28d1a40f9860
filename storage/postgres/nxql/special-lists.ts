import type { Reference } from '../../../core/model/nxql/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import type { Context } from './context.js'
import { asText } from './json-path.js'
import type { ValuePlace } from './place.js'
import type { Scalar } from './scalar.js'
import { BLOB_KEYS } from './special.js'
import { type Table, tableOfElements } from './tables.js'

/** Special properties that a document has several of: tags, entries of local ACLs, keys of blobs. */

const TAG = /^ecm:tag(?:\/(\*\d{0,9}))?$/
const ACL = /^ecm:acl\/(\*\d{0,9})\/(\w+)$/
const TAGS = 'nxtag:tags'

type Element = { alias: string; wildcards: Table[]; isCorrelated: boolean }

/** One element: any, or that of a variable which is the same throughout the query. */
const elementOf = (
  { offset }: Reference,
  {
    variable,
    table,
    context,
  }: { variable: string | null; table: (alias: string) => Table; context: Context },
): Element => {
  if (variable !== null) {
    return {
      alias: context.correlations.variable(variable, offset, table),
      wildcards: [],
      isCorrelated: true,
    }
  }
  const alias = context.alias()
  return { alias, wildcards: [table(alias)], isCorrelated: false }
}

/** `ecm:tag` is the same tag throughout the query, `ecm:tag/*` a new one each time (nxql-search.md §4). */
const tagPlace = (reference: Reference, wildcard: string | undefined, context: Context): ValuePlace => {
  const { alias, ...element } = elementOf(reference, {
    variable: wildcard === '*' ? null : `ecm:tag/${wildcard ?? ''}`,
    table: (name) => tableOfElements({ base: 'd.properties', steps: [TAGS] }, name),
    context,
  })
  return {
    kind: 'value',
    scalar: { kind: 'text', sql: asText({ base: `${alias}.value`, steps: ['label'] }) },
    ...element,
    list: null,
    containing: (value) => `{"${TAGS}":[{"label":${value}}]}`,
    json: null,
  }
}

/** By the names of §4; a status is told for entries with dates alone, by the clock of the query. */
const aclColumn = (alias: string, name: string, now: () => string): Scalar | undefined => {
  const columns: Readonly<Record<string, () => Scalar>> = {
    principal: () => ({ kind: 'text', sql: `${alias}.username` }),
    permission: () => ({ kind: 'text', sql: `${alias}.permission` }),
    grant: () => ({ kind: 'boolean', sql: `${alias}.granted` }),
    name: () => ({ kind: 'text', sql: `${alias}.acl` }),
    pos: () => ({ kind: 'number', sql: `${alias}.position` }),
    creator: () => ({ kind: 'text', sql: `${alias}.creator` }),
    begin: () => ({ kind: 'instant', sql: `${alias}.begins_at` }),
    end: () => ({ kind: 'instant', sql: `${alias}.ends_at` }),
    status: () => {
      const instant = now()
      return {
        kind: 'number',
        sql:
          `(CASE WHEN ${alias}.begins_at IS NULL AND ${alias}.ends_at IS NULL THEN NULL` +
          ` WHEN ${alias}.ends_at <= ${instant} THEN 2 WHEN ${alias}.begins_at > ${instant} THEN 0 ELSE 1 END)`,
      }
    },
  }
  return Object.hasOwn(columns, name) ? columns[name]?.() : undefined
}

/** Local entries as they were set; what is inherited is not among them. */
const aclPlace = (
  reference: Reference,
  { wildcard, column, context }: { wildcard: string; column: string; context: Context },
): ValuePlace => {
  const { alias, ...element } = elementOf(reference, {
    variable: wildcard === '*' ? null : `ecm:acl/${wildcard}`,
    table: (name) => ({
      alias: name,
      sql: `document_acls AS ${name}`,
      on: `${name}.document_id = d.id`,
      rank: `${name}.position`,
    }),
    context,
  })
  const scalar = aclColumn(alias, column, context.boundNow)
  if (!scalar) throw fail('badRequest', `Unknown field: ${reference.name} at offset ${reference.offset}`)
  const prefilter = (values: string) =>
    `d.id IN (SELECT a.document_id FROM document_acls a WHERE a.username = ANY(${values}))`
  return {
    kind: 'value',
    scalar,
    ...element,
    list: null,
    containing: null,
    json: null,
    ...(column === 'principal' && { prefilter }),
  }
}

const blobKeysPlace = (context: Context): ValuePlace => {
  const alias = context.alias()
  return {
    kind: 'value',
    scalar: { kind: 'text', sql: asText({ base: `${alias}.value`, steps: [] }) },
    wildcards: [],
    list: `${BLOB_KEYS} WITH ORDINALITY AS ${alias}(value, rank)`,
    isCorrelated: false,
    containing: null,
    json: "jsonb_path_query_array(d.properties, 'strict $.**.digest')",
  }
}

/** The place of a special property with several values; undefined for any other name. */
export const specialListPlace = (reference: Reference, context: Context): ValuePlace | undefined => {
  if (reference.name === 'ecm:blobKeys') return blobKeysPlace(context)
  const tag = TAG.exec(reference.name)
  if (tag) return tagPlace(reference, tag[1], context)
  const [, wildcard, column] = ACL.exec(reference.name) ?? []
  if (wildcard === undefined || column === undefined) return undefined
  return aclPlace(reference, { wildcard, column, context })
}
