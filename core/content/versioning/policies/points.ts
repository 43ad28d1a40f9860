import { z } from 'zod'
import { defineExtensionPoint, type Reference } from '../../../platform/contributions/index.js'
import { expressionFindings } from '../../../platform/sandbox/expressions/index.js'

export const INCREMENTS = ['NONE', 'MINOR', 'MAJOR'] as const

export type Increment = (typeof INCREMENTS)[number]

const increment = z.enum(INCREMENTS)
const names = z.array(z.string().min(1)).default([])
const MAX_EXPRESSION = 10_000
const versionNumber = z.int().min(0).default(0)

const references = (point: string, path: string, list: readonly string[]): Reference[] =>
  list.map((name, index) => ({ path: [path, index], point, name }))

const filterContent = z.strictObject({
  types: names.describe('One of these types, or a type below one of them'),
  facets: names.describe('All of these facets'),
  schemas: names.describe('All of these schemas'),
  states: names.describe('One of these life-cycle states'),
  contributorChanged: z
    .boolean()
    .optional()
    .describe('Whether somebody else than the last contributor is about to write'),
  condition: z
    .string()
    .min(1)
    .max(MAX_EXPRESSION)
    .optional()
    .describe('Expression over previousDocument, null for a new one, and currentDocument: true or false'),
})

export type FilterContent = z.output<typeof filterContent>

/** The conditions of a policy; a filter holds when all that it names hold. */
export const versioningFiltersPoint = defineExtensionPoint({
  point: 'versioningFilters',
  elements: {
    filter: {
      nameAttribute: 'id',
      // Filters with rules are of the point `filters`.
      is: ({ children }) => children.length > 0 && !children.some(({ name }) => name === 'rule'),
      keys: { lifeCycleState: 'states' },
      ignored: ['class'],
    },
  },
  schema: filterContent,
  references: ({ types, facets, schemas }) => [
    ...references('types', 'types', types),
    ...references('facets', 'facets', facets),
    ...references('schemas', 'schemas', schemas),
  ],
  check: ({ condition }) => expressionFindings(['condition'], condition),
})

const policyContent = z.strictObject({
  increment: increment.default('NONE').describe('The version that is created when nobody asks for one'),
  beforeUpdate: z
    .boolean()
    .default(false)
    .describe('Keep the document as it was before the change, instead of as it is after'),
  order: z.int().default(0).describe('Of the policies that hold, the one with the lowest order decides'),
  filters: names.describe('All must hold'),
  initialState: z
    .strictObject({ major: versionNumber, minor: versionNumber })
    .optional()
    .describe('Number of new documents; 0.0 when absent'),
})

export type PolicyContent = z.output<typeof policyContent>

/** When a change creates a version automatically (workflow-audit.md §5). */
export const versioningPoliciesPoint = defineExtensionPoint({
  point: 'versioningPolicies',
  elements: {
    policy: { is: ({ attributes }) => attributes.name === undefined, keys: { 'filter-id': 'filters' } },
  },
  schema: policyContent,
  references: ({ filters }) => references('versioningFilters', 'filters', filters),
})

const restrictionContent = z.strictObject({
  options: z
    .record(z.string().min(1), z.array(increment))
    .describe('By life-cycle state, or * for all others: the increments that may be asked for'),
})

export type RestrictionContent = z.output<typeof restrictionContent>

/** Name of the restriction of types that have none. */
export const ANY_TYPE = '*'

/** By document type, which increments may be asked for; a type without one has that of the type it extends. */
export const versioningRestrictionsPoint = defineExtensionPoint({
  point: 'versioningRestrictions',
  elements: {
    restriction: { nameAttribute: 'type', defaultName: ANY_TYPE },
  },
  schema: restrictionContent,
})

export const versioningPoints = [
  versioningFiltersPoint,
  versioningPoliciesPoint,
  versioningRestrictionsPoint,
] as const
