import { z } from 'zod'
import { idempotencyHeader } from '../idempotency/index.js'
import { inPath, JSON_TYPE, json, type RouteDoc } from '../openapi/index.js'
import { providerParameters, queryParameters } from '../search/index.js'
import { bulkParameters, bulkQuery, bulkStatusEntity } from './bulk.schema.js'

const tag = 'bulk'

const action = {
  action: 'automationUi, setProperties, trash, removeProxy; administrators: automation, deletion',
}
const command = inPath({ command: 'Id of the command' })
const status = json('Where the command stands', bulkStatusEntity)

const WAYS = [
  ['/search/bulk/{action}', 'runBulk', {}, queryParameters],
  [
    '/search/pp/{provider}/bulk/{action}',
    'runBulkOnProvider',
    { provider: 'Name of the page provider' },
    queryParameters.omit({ query: true }).extend(providerParameters.pick({ quickFilters: true }).shape),
  ],
  [
    '/search/saved/{id}/bulk/{action}',
    'runBulkOnSavedSearch',
    { id: 'Id of the saved search' },
    queryParameters.omit({ query: true }).extend(providerParameters.pick({ quickFilters: true }).shape),
  ],
] as const

/** Bulk commands (nxql-search.md §1, automation.md §11). */
export const bulkDocs: readonly RouteDoc[] = [
  ...WAYS.map(
    ([path, operationId, place, query]): RouteDoc => ({
      method: 'POST',
      path,
      operationId,
      summary: 'Runs an action over everything that a query finds',
      description: 'It goes on in the background. Every other parameter is a value of `:name` in the query.',
      tag,
      parameters: {
        path: inPath({ ...place, ...action }),
        query: z.object({ ...query.shape, ...bulkQuery.shape }),
        header: idempotencyHeader,
      },
      body: { [JSON_TYPE]: bulkParameters },
      responses: { 202: status },
      errors: [403, 409, 413, 415, 429],
    }),
  ),
  {
    method: 'GET',
    path: '/bulk/{command}',
    operationId: 'getBulk',
    summary: 'Where a bulk command stands',
    tag,
    parameters: { path: command },
    responses: { 200: status },
  },
  {
    method: 'PUT',
    path: '/bulk/{command}/abort',
    operationId: 'abortBulk',
    summary: 'Stops a bulk command behind the batch that is under way',
    tag,
    parameters: { path: command },
    errors: [503],
    responses: { 200: status },
  },
]
