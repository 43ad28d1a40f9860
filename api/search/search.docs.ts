import { z } from 'zod'
import { inPath, json, type RouteDoc } from '../openapi/index.js'
import { documentsPage, onDocuments, pagingQuery, renderingQuery, sortQuery } from '../rest/index.js'
import { savedSearchDocs } from './saved-search.docs.js'
import {
  explanation,
  nxqlParameters,
  providerDefinition,
  providerParameters,
  queryParameters,
} from './search.schema.js'

const tag = 'queries'

const common = { ...pagingQuery.shape, ...sortQuery.shape, ...renderingQuery.shape }
const description = 'Every other parameter is a value of `:name` in the query.'
const aggregateHeaders = z.object({
  skipAggregates: z.string().optional().describe('true: only aggregates with a selection are computed'),
  'fetch-aggregate': z.string().optional().describe('key: terms with the entity that each refers to'),
})

const found = json('A page of the documents that the caller may browse', documentsPage)

const QUERIES = [
  ['/query', 'query'],
  ['/query/NXQL', 'queryNxql'],
  ['/search/execute', 'search'],
  ['/search/lang/{language}/execute', 'searchInLanguage'],
] as const

const PROVIDERS = [
  ['/query/{provider}', 'queryProvider'],
  ['/search/pp/{provider}/execute', 'searchProvider'],
] as const

const provider = inPath({ provider: 'Name of the page provider' })

/** Queries and page providers (rest-documents.md §9). */
export const searchDocs: readonly RouteDoc[] = [
  ...QUERIES.map(
    ([path, operationId]): RouteDoc => ({
      method: 'GET',
      path,
      operationId,
      summary: 'Runs a query in NXQL',
      description,
      tag,
      parameters: {
        ...(path.includes('{') && { path: z.object({ language: z.enum(['NXQL']) }) }),
        query: z.object({ ...queryParameters.shape, ...nxqlParameters.shape, ...common }),
      },
      responses: {
        200: json('A page of documents, or an explanation', z.union([documentsPage, explanation])),
      },
    }),
  ),
  ...PROVIDERS.map(
    ([path, operationId]): RouteDoc => ({
      method: 'GET',
      path,
      operationId,
      summary: 'A page of a provider',
      description,
      tag,
      parameters: {
        path: provider,
        query: z.object({
          ...(operationId === 'queryProvider' ? queryParameters : queryParameters.omit({ query: true }))
            .shape,
          ...providerParameters.shape,
          ...common,
        }),
        header: aggregateHeaders,
      },
      responses: { 200: found },
    }),
  ),
  {
    method: 'GET',
    path: '/search/pp/{provider}',
    operationId: 'getProvider',
    summary: 'What a page provider looks for, and how',
    tag,
    parameters: { path: provider },
    responses: { 200: json('The definition', providerDefinition) },
  },
  ...savedSearchDocs,
  ...onDocuments([
    {
      method: 'GET',
      path: '/@pp/{provider}',
      operationId: 'queryProviderHere',
      summary: 'A page of a provider, with the id of the document as its parameter',
      description,
      tag,
      parameters: {
        path: provider,
        query: z.object({ ...providerParameters.shape, ...common }),
        header: aggregateHeaders,
      },
      responses: { 200: found },
    },
  ]),
]
