import { Hono } from 'hono'
import type { RetryCall } from '../../../core/automation/runs/index.js'
import type { Environment, RequestContext } from '../../edge/index.js'
import { parseInput, parseQuery } from '../../parse/index.js'
import { parseJson, readText } from '../../rest/index.js'
import type { AutomationDependencies } from '../dependencies.js'
import { itemsEntity, runEntity, runsEntity } from './entities.js'
import { itemsQuery, itemsRequest } from './items.schema.js'
import { retryQuery, runsQuery } from './runs.schema.js'

const PAGE_SIZE = 50
const MAX_PAGE_SIZE = 1000

const sizeOf = (pageSize: number | undefined): number => Math.min(pageSize || PAGE_SIZE, MAX_PAGE_SIZE)

/** `/runs` below the automation service: list, report, retry and cancel runs. */
export const createRunRoutes = ({
  runs,
  limits,
  restRootOf,
}: Pick<AutomationDependencies, 'runs' | 'limits' | 'restRootOf'>): Hono<Environment> => {
  const app = new Hono<Environment>()

  const retryCall = (c: RequestContext): RetryCall => ({
    principal: c.get('principal'),
    requestId: c.get('requestId'),
    signal: c.req.raw.signal,
    isSecure: restRootOf(c).startsWith('https:'),
    definition: parseQuery(c, retryQuery).definition,
  })

  app.get('/', async (c) => {
    const { chain, pageSize, cursor, ...search } = parseQuery(c, runsQuery)
    const page = { pageSize: sizeOf(pageSize), cursor }
    return c.json(runsEntity(await runs.list({ chainId: chain, ...search }, c.get('principal'), page)))
  })

  app.get('/:execution', async (c) =>
    c.json(runEntity(await runs.report(c.req.param('execution'), c.get('principal')))),
  )

  app.delete('/:execution', async (c) => {
    await runs.cancel(c.req.param('execution'), c.get('principal'))
    return c.body(null, 202)
  })

  app.post('/:execution/retry', async (c) =>
    c.json(runEntity(await runs.retry(c.req.param('execution'), retryCall(c))), 202),
  )

  app.get('/:execution/items', async (c) => {
    const { pageSize, ...asked } = parseQuery(c, itemsQuery)
    const page = { ...asked, pageSize: sizeOf(pageSize) }
    return c.json(itemsEntity(await runs.items(c.req.param('execution'), c.get('principal'), page)))
  })

  app.post('/:execution/items/retry', async (c) => {
    const text = await readText(c, limits.maxJsonBytes)
    const requested = parseInput(itemsRequest, text.trim() === '' ? undefined : parseJson(text))
    const report = await runs.retryItems(c.req.param('execution'), retryCall(c), { ...requested })
    return c.json(runEntity(report), 202)
  })

  return app
}
