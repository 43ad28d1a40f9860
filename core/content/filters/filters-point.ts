import { z } from 'zod'
import {
  defineExtensionPoint,
  type Finding,
  type Reference,
  type XmlPart,
} from '../../platform/contributions/index.js'
import { expressionFindings } from '../../platform/sandbox/expressions/index.js'

const names = z.array(z.string().min(1)).default([])
const MAX_EXPRESSION = 10_000

const rule = z.strictObject({
  grant: z
    .boolean()
    .default(true)
    .describe('false: where the rule holds, the filter does not, whatever else does'),
  types: names.describe('One of these types'),
  facets: names.describe('One of these facets'),
  schemas: names.describe('One of these schemas'),
  permissions: names.describe('One of these permissions on the document'),
  groups: names.describe('The user is in one of these groups'),
  conditions: z
    .array(z.string().min(1).max(MAX_EXPRESSION))
    .default([])
    .describe('One of these expressions over Document and CurrentUser is true'),
})

const content = z.strictObject({ rules: z.array(rule).min(1) })

export type FilterRule = z.output<typeof rule>

export type NamedFilter = z.output<typeof content>

const hasRules = ({ children }: XmlPart): boolean => children.some(({ name }) => name === 'rule')

/** What the incumbent leaves out denies. */
const withGrant = (child: XmlPart): XmlPart =>
  child.name === 'rule' && child.attributes.grant === undefined
    ? { ...child, attributes: { ...child.attributes, grant: 'false' } }
    : child

const refusalsOf = ({ rules }: NamedFilter): Finding[] =>
  rules.flatMap(({ conditions }, index) =>
    conditions.flatMap((condition, at) => expressionFindings(['rules', index, 'conditions', at], condition)),
  )

/**
 * `filters:` in the configuration: conditions on a document and its reader, to which other contributions refer by their
 * names (blobs-conversions.md §3 and §4).
 */
export const filtersPoint = defineExtensionPoint({
  point: 'filters',
  elements: {
    filter: {
      nameAttribute: 'id',
      is: hasRules,
      ignored: ['append', 'class'],
      rewrite: (part) => ({ ...part, children: part.children.map(withGrant) }),
    },
  },
  schema: content,
  check: refusalsOf,
})

/** Names of filters in another contribution: all must hold. */
export const filterNames = z.array(z.string().min(1)).optional().describe('Names of filters; all must hold')

/** What those names refer to. */
export const filterReferences = (filters: readonly string[] = []): Reference[] =>
  filters.map((name, index) => ({ path: ['filters', index], point: 'filters', name }))
