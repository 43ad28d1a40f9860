import { z } from 'zod'
import { isSortable, refusalOfNxql, type Sort } from '../../model/nxql/index.js'
import { defineExtensionPoint, type Finding } from '../../platform/contributions/index.js'
import { aggregateContent } from './aggregates/definition.js'
import { providerElements } from './provider-xml.js'

const sorts = z
  .array(
    z.strictObject({
      column: z.string().refine(isSortable, 'not the name of a property'),
      ascending: z.boolean().default(true),
    }),
  )
  .default([])
  .transform(
    (items): Sort => items.map(({ column, ascending }) => ({ field: column, isAscending: ascending })),
  )

export const OPERATORS = [
  ...[
    '=',
    '!=',
    '<>',
    '<',
    '>',
    '<=',
    '>=',
    'LIKE',
    'ILIKE',
    'NOT LIKE',
    'NOT ILIKE',
    'BETWEEN',
    'IN',
    'NOT IN',
  ],
  ...['STARTSWITH', 'EMPTY', 'ISEMPTY', 'IS NULL', 'FULLTEXT', 'FULLTEXT ALL'],
] as const

const predicateContent = z.strictObject({
  parameter: z.string().refine(isSortable, 'not the name of a property').describe('The property to test'),
  operator: z.enum(OPERATORS).optional(),
  type: z.enum(['atomic', 'subClause']).default('atomic'),
  hint: z
    .string()
    .regex(/^[^*/]*$/, 'must not end the comment that it stands in')
    .optional()
    .describe('For a search engine, e.g. INDEX(dc:title.fulltext) OPERATOR(match)'),
  operatorField: z.string().optional().describe('Where the search document names the operator'),
  fields: z
    .array(z.string().min(1))
    .default([])
    .describe('Properties of the search document that hold the values'),
})

export type PredicateDefinition = z.output<typeof predicateContent>

const whereClauseContent = z.strictObject({
  statement: z.string().optional().describe('Instead of SELECT * FROM Document'),
  fixedPart: z.string().optional().describe('NXQL that always holds; its ? take the parameters in order'),
  quoteParameters: z.boolean().default(true),
  predicates: z.array(predicateContent).default([]),
})

const quickFilterContent = z.strictObject({
  name: z.string().min(1),
  clause: z.string().optional(),
  sort: sorts,
})

export const MAX_PAGE_SIZE = 1_000

const providerContent = z.strictObject({
  source: z.enum(['documents', 'audit']).default('documents').describe('What is listed'),
  backend: z
    .enum(['index', 'database'])
    .optional()
    .describe('What answers; otherwise the property elasticsearch.override.pageproviders decides'),
  pattern: z.string().optional().describe('NXQL with ?, :name and SORTED_COLUMN'),
  quoteParameters: z.boolean().default(true).describe('false: values of ? are NXQL themselves'),
  whereClause: whereClauseContent.optional(),
  searchDocumentType: z.string().optional(),
  pageSize: z.int().min(0).default(0).describe('0: everything up to maxPageSize'),
  maxPageSize: z.int().min(0).default(MAX_PAGE_SIZE).describe('0: no limit'),
  maxResults: z
    .union([z.int().min(1), z.literal('PAGE_SIZE'), z.literal('DEFAULT_NAVIGATION_RESULTS')])
    .optional()
    .describe('How many results are counted'),
  sortable: z.boolean().default(true),
  sort: sorts,
  quickFilters: z.array(quickFilterContent).default([]),
  aggregates: z.array(aggregateContent).default([]),
  trackUsage: z.boolean().default(false),
})

/** @property name absent: a query of its caller's own, which nobody has named. */
export type PageProviderDefinition = z.output<typeof providerContent> & { name?: string }

/** Page providers: named queries (nxql-search.md §8). A later one replaces an earlier one of the same name. */
export const pageProvidersPoint = defineExtensionPoint({
  point: 'pageProviders',
  elements: providerElements,
  schema: providerContent,
  merge: (_, later) => later,
  references: ({ searchDocumentType }) =>
    searchDocumentType === undefined
      ? []
      : [{ path: ['searchDocumentType'], point: 'types', name: searchDocumentType }],
  check: (provider) => [
    ...queryFindings(provider),
    ...provider.quickFilters.flatMap(({ clause }, index) =>
      clause === undefined ? [] : nxqlFindings(['quickFilters', index, 'clause'], asWhere(clause)),
    ),
    ...repeated(
      ['quickFilters'],
      provider.quickFilters.map(({ name }) => name),
    ),
    ...repeated(
      ['aggregates'],
      provider.aggregates.map(({ id }) => id),
    ),
    ...(provider.whereClause?.predicates ?? []).flatMap(({ operator, operatorField, type }, index) =>
      operator === undefined && operatorField === undefined && type === 'atomic'
        ? [{ path: ['whereClause', 'predicates', index], message: 'needs an "operator"' }]
        : [],
    ),
  ],
})

const queryFindings = ({ pattern, quoteParameters, whereClause }: PageProviderDefinition): Finding[] => {
  if (pattern !== undefined && whereClause !== undefined)
    return [{ path: ['pattern'], message: 'cannot be combined with "whereClause"', onKey: true }]
  if (pattern !== undefined) return quoteParameters ? nxqlFindings(['pattern'], pattern) : []
  if (whereClause === undefined) return [{ path: [], message: 'needs a "pattern" or a "whereClause"' }]
  const { fixedPart, statement = 'SELECT * FROM Document', quoteParameters: isQuoted } = whereClause
  if (!isQuoted) return []
  const ofStatement = nxqlFindings(['whereClause', 'statement'], statement)
  if (ofStatement.length > 0 || fixedPart === undefined) return ofStatement
  return nxqlFindings(['whereClause', 'fixedPart'], `${statement} WHERE (${fixedPart})`)
}

const asWhere = (clause: string): string => `SELECT * FROM Document WHERE ${clause}`

const nxqlFindings = (path: PropertyKey[], text: string): Finding[] => {
  const message = refusalOfNxql(text.replaceAll('SORTED_COLUMN', 'ecm:uuid'))
  return message === undefined ? [] : [{ path, message }]
}

const repeated = (path: PropertyKey[], names: readonly string[]): Finding[] =>
  names.flatMap((name, index) =>
    names.indexOf(name) < index ? [{ path: [...path, index], message: `"${name}" is repeated` }] : [],
  )
