import { Hono } from 'hono'
import {
  type Webhook,
  type WebhookDeliveries,
  webhooksRegistry,
} from '../../core/automation/webhooks/index.js'
import { fail, isArchivoltError } from '../../core/platform/errors/index.js'
import type { Platform } from '../../runtime/index.js'
import type { Environment, RequestContext } from '../edge/index.js'
import { json, routeGroup } from '../openapi/index.js'
import { parseQuery } from '../parse/index.js'
import { deliveriesEntity, deliveriesQuery, redeliveryEntity, webhooksEntity } from './webhooks.schema.js'

const DEFAULT_PAGE = 50
const MAX_PAGE = 1000

export const webhookDocs = routeGroup({
  tag: 'events',
  path: { name: 'Name of the webhook', id: 'Id of the delivery' },
  errors: [403],
})({
  getWebhooks: [
    'GET /webhooks',
    'The webhooks that are deployed; for administrators',
    {
      description: 'They are contributions of the extension point `webhooks`.',
      200: json('All webhooks', webhooksEntity),
    },
  ],
  getDeliveries: [
    'GET /webhooks/deliveries',
    'Deliveries, those that began last first; for administrators',
    { query: deliveriesQuery, 200: json('Deliveries', deliveriesEntity), errors: [503] },
  ],
  redeliver: [
    'POST /webhooks/deliveries/{id}/redeliver',
    'Delivers again what has ended; for administrators',
    { 202: json('What is under way', redeliveryEntity), errors: [409, 503] },
  ],
  redeliverFailed: [
    'POST /webhooks/{name}/redeliver',
    'Delivers again what was given up for a webhook, the last 1000 of it; for administrators',
    { 202: json('What is under way', redeliveryEntity), errors: [503] },
  ],
})

const webhookEntity = ({ name, secret, ...webhook }: Webhook) => ({
  'entity-type': 'webhook',
  id: name,
  ...webhook,
  isSigned: secret !== undefined,
})

const redelivery = (ids: readonly string[]) => ({ 'entity-type': 'redelivery', ids })

/** Somebody else has begun with it meanwhile. */
const isUnderWay = (error: unknown): boolean => isArchivoltError(error) && error.code === 'conflict'

const requireAdministrator = (c: RequestContext): void => {
  if (!c.get('principal').isAdministrator) throw fail('forbidden', 'Only administrators see webhooks')
}

/** `/webhooks`, for administrators. */
export const createWebhookRoutes = ({
  snapshot,
  deliveries,
}: Pick<Platform, 'snapshot'> & { deliveries: WebhookDeliveries }): Hono<Environment> => {
  const app = new Hono<Environment>()
  const webhooks = (): ReadonlyMap<string, Webhook> => snapshot().get(webhooksRegistry)

  app.get('/', (c) => {
    requireAdministrator(c)
    return c.json({ 'entity-type': 'webhooks', entries: [...webhooks().values()].map(webhookEntity) })
  })

  app.get('/deliveries', async (c) => {
    requireAdministrator(c)
    const { pageSize = DEFAULT_PAGE, ...filter } = parseQuery(c, deliveriesQuery)
    const found = await deliveries.list(filter, Math.min(pageSize || DEFAULT_PAGE, MAX_PAGE))
    const entries = found.map((delivery) => ({ 'entity-type': 'delivery', ...delivery }))
    return c.json({ 'entity-type': 'deliveries', entries })
  })

  app.post('/deliveries/:id/redeliver', async (c) => {
    requireAdministrator(c)
    const id = c.req.param('id')
    await deliveries.redeliver(id)
    return c.json(redelivery([id]), 202)
  })

  app.post('/:name/redeliver', async (c) => {
    requireAdministrator(c)
    const webhook = c.req.param('name')
    if (!webhooks().has(webhook)) throw fail('notFound', `No webhook '${webhook}' is deployed`)
    const failed = await deliveries.list({ webhook, state: 'FAILED' }, MAX_PAGE)
    const ids: string[] = []
    for (const { id } of failed) {
      try {
        await deliveries.redeliver(id)
        ids.push(id)
      } catch (error) {
        if (!isUnderWay(error)) throw error
      }
    }
    return c.json(redelivery(ids), 202)
  })

  return app
}
