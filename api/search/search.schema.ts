import { z } from 'zod'
import { component } from '../openapi/index.js'
import { commaList, word } from '../parse/index.js'

const strings = z.preprocess((values) => values ?? [], z.array(z.string()))

/** Parameters of a query besides paging and order (rest-documents.md §9); every other one is a named parameter. */
export const queryParameters = z.object({
  query: word.describe('NXQL; SELECT * FROM Document when absent'),
  queryParams: strings.describe('Values of `?`, one for each occurrence'),
})

const engine = z.enum(['index', 'database']).optional()

/** Which backend answers; both names mean the same. */
export const backendParameters = z.object({
  backend: engine.describe('index (default): the search index where it can answer; database: the repository'),
  queryEngine: engine.describe('The same as `backend`'),
})

/** Parameters of queries and of page providers. */
export const nxqlParameters = z.object({
  explain: z.string().optional().describe('true: explains how the query is executed, for administrators'),
})

/** Parameters of page providers only. */
export const providerParameters = z.object({
  quickFilters: commaList.describe('Names of quick filters; unknown ones are ignored'),
  highlight: commaList.describe('Fields in which the enricher `highlight` marks matches'),
})

export const aggregateHeaders = z.object({
  skipAggregates: z.string().optional().describe('true: only aggregates with a selection are computed'),
  'fetch-aggregate': z.string().optional().describe('key: terms with the entity that each refers to'),
})

/** How a query is executed. */
export const explanation = component(
  'explanation',
  z.object({
    query: z.looseObject({}).describe('The parsed query'),
    backend: z.enum(['index', 'database']).optional().describe('What answers, where there is an index'),
    reason: z.string().optional().describe('Why the index does not answer'),
    index: z.string().optional().describe('Name of the index that answers'),
    body: z.looseObject({}).optional().describe('The search that the index is sent'),
    profile: z.looseObject({}).optional().describe('How long each part of it took, by the search engine'),
    pageProvider: z.string().optional().describe('The page provider whose query this is'),
    sql: z.string().optional().describe('The statement of the database, where that answers'),
    parameters: z.array(z.unknown()).optional(),
    plan: z.unknown().optional(),
  }),
  'How a query is executed',
)

/** A page provider (nxql-search.md §8). */
export const providerDefinition = component(
  'pageProvider',
  z.looseObject({
    name: z.string(),
    sortInfos: z.array(z.object({ sortColumn: z.string(), sortAscending: z.boolean() })),
    quickFilters: z.array(z.object({ name: z.string(), clause: z.string().nullable() })),
  }),
  'The definition of a page provider',
)
