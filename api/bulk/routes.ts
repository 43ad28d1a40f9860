import { Hono } from 'hono'
import type { Principal } from '../../core/access/security/index.js'
import { abortBulk, bulkStatus, getBulk, hasEnded, submitBulk } from '../../core/automation/bulk/index.js'
import type { SegmentDependencies } from '../../core/automation/execution/index.js'
import type { BulkCommand } from '../../core/automation/language/index.js'
import type { KnownNames } from '../../core/automation/lint/index.js'
import { executeOnceForKey, type UnitOfWork } from '../../core/automation/run-store/index.js'
import { bulkRunId } from '../../core/automation/runs/index.js'
import type { Session } from '../../core/content/documents/index.js'
import type { Query } from '../../core/model/nxql/index.js'
import { isArchivoltError } from '../../core/platform/errors/index.js'
import type { Environment, RequestContext } from '../edge/index.js'
import { idempotencyHeader, requestKey } from '../idempotency/index.js'
import { json, routeGroup } from '../openapi/index.js'
import { parseInput, parseQuery } from '../parse/index.js'
import { readJson } from '../rest/index.js'
import {
  foundByProvider,
  foundByQuery,
  foundBySavedSearch,
  providerParameters,
  queryParameters,
} from '../search/index.js'
import { addWarnings } from '../warnings/index.js'
import { bulkParameters, bulkQuery, bulkStatusEntity } from './bulk.schema.js'
import { warningsOfBulk } from './warnings.js'

type BulkDependencies = {
  /** Uses what is deployed now, as a command may name a chain. */
  segments(): Promise<SegmentDependencies>
  /** What the names in parameters are compared with. */
  names(): KnownNames
  maxJsonBytes: number
  /** Cancels the workflow of a command. @throws notFound for one that has none, or has ended. */
  cancel(workflowId: string, principal: Principal): Promise<void>
}

const entityOf = (command: BulkCommand, status = 200): Response =>
  Response.json(
    { 'entity-type': 'bulkStatus', ...bulkStatus(command) },
    { status, headers: { 'content-type': 'application/json; nuxeo-entity=bulkStatus' } },
  )

const onQuery = queryParameters.extend({
  ...bulkQuery.shape,
  query: queryParameters.shape.query.describe('NXQL; must be there'),
})
const onProvider = onQuery.omit({ query: true }).extend(providerParameters.pick({ quickFilters: true }).shape)

const RUN = 'Runs an action on all documents that a query finds'
const running = {
  description: 'It runs in the background. Every other parameter is a value of `:name` in the query.',
  header: idempotencyHeader,
  body: bulkParameters,
  202: json('The command is accepted', bulkStatusEntity),
  warns: true as const,
  errors: [429] as const,
}

const describeBulk = routeGroup({
  tag: 'bulk',
  path: {
    action:
      'automationUi, setProperties, trash, removeProxy, recomputeViews; administrators: automation, deletion, index',
    provider: 'Name of the page provider',
    id: 'Id of the saved search',
    command: 'Id of the command',
  },
})

export const bulkDocs = describeBulk({
  runBulk: ['POST /search/bulk/{action}', RUN, { ...running, query: onQuery }],
  runBulkOnProvider: ['POST /search/pp/{provider}/bulk/{action}', RUN, { ...running, query: onProvider }],
  runBulkOnSavedSearch: ['POST /search/saved/{id}/bulk/{action}', RUN, { ...running, query: onProvider }],
  getBulk: ['GET /bulk/{command}', 'The status of a bulk command', { 200: bulkStatusEntity }],
  abortBulk: [
    'PUT /bulk/{command}/abort',
    'Stops a bulk command after its current batch',
    { 200: bulkStatusEntity, errors: [503], isOwn: true },
  ],
})

/** Bulk commands over HTTP (nxql-search.md §1): submit, status, abort. */
export const createBulkRoutes = ({
  segments,
  names,
  maxJsonBytes,
  cancel,
}: BulkDependencies): Hono<Environment> => {
  const parametersIn = async (c: RequestContext) => {
    // Actions without parameters are called without a body.
    if (!c.req.raw.body || c.req.header('content-length') === '0') return {}
    return parseInput(bulkParameters, await readJson(c, maxJsonBytes))
  }

  const giving =
    (found: (c: RequestContext, session: Session, own: readonly string[]) => Query | Promise<Query>) =>
    async (c: RequestContext): Promise<Response> => {
      const { scroll: _, ...asked } = parseQuery(c, bulkQuery)
      const parameters = await parametersIn(c)
      const principal = c.get('principal')
      const { units, registry, services } = await segments()
      const submit = async ({ session, bulk: store }: UnitOfWork): Promise<string> =>
        submitBulk(
          { session, store, registry, mostOpen: services.limits.openBulkCommands },
          {
            ...asked,
            action: c.req.param('action') ?? '',
            query: await found(c, session, Object.keys(bulkQuery.shape)),
            parameters,
            requestId: c.get('requestId'),
          },
        )
      const respond = (command: BulkCommand): Response =>
        addWarnings(
          entityOf(command, 202),
          warningsOfBulk(command.action, parameters, { registry, names: names() }),
        )
      const key = requestKey(c, () => [new URL(c.req.url).search, parameters])
      if (key) {
        const once = { principal, key, onEarlier: () => c.set('isReplayed', true) }
        const { id } = await executeOnceForKey(units, once, async (unit) => ({ id: await submit(unit) }))
        return respond(await getBulk(units.reading(principal).bulk, principal, id))
      }
      const command = await units.transaction(principal, async (unit) =>
        getBulk(unit.bulk, principal, await submit(unit)),
      )
      return respond(command)
    }

  /** Lists the run as cancelled; the aborted row is what stops the command. */
  const stopRun = async (id: string, principal: Principal): Promise<void> => {
    try {
      await cancel(bulkRunId(id), principal)
    } catch (error) {
      if (!isArchivoltError(error) || error.code !== 'notFound') throw error
    }
  }

  const routes = new Hono<Environment>()
  routes.post('/search/bulk/:action', giving(foundByQuery))
  routes.post('/search/pp/:provider/bulk/:action', giving(foundByProvider))
  routes.post('/search/saved/:id/bulk/:action', giving(foundBySavedSearch))
  routes.get('/bulk/:command', async (c) => {
    const { units } = await segments()
    const principal = c.get('principal')
    return entityOf(await getBulk(units.reading(principal).bulk, principal, c.req.param('command')))
  })
  routes.put('/bulk/:command/abort', async (c) => {
    const { units } = await segments()
    const principal = c.get('principal')
    const command = await getBulk(units.reading(principal).bulk, principal, c.req.param('command'))
    const abort = () => units.transaction(principal, ({ bulk }) => abortBulk(bulk, principal, command.id))
    if (hasEnded(command)) return entityOf(command)
    try {
      await stopRun(command.id, principal)
    } catch (error) {
      // Its row stops it without Temporal, too; a second abort finds that it has ended.
      await abort()
      throw error
    }
    return entityOf(await abort())
  })
  return routes
}
