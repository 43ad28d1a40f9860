import { Hono } from 'hono'
import { z } from 'zod'
import { type HealthCheck, probe } from '../../core/platform/telemetry/index.js'
import type { Environment, Metrics } from '../edge/index.js'
import { component, json, routeGroup, text } from '../openapi/index.js'

const state = z.enum(['up', 'degraded', 'down'])

const readiness = component(
  'readiness',
  z.object({
    state,
    dependencies: z.array(
      z.object({ name: z.string(), state, latencyMs: z.number(), message: z.string().optional() }),
    ),
  }),
)

const readinessResponses = {
  200: json('All required services respond', readiness),
  503: json('A required service does not respond', readiness),
}

export const healthDocs = routeGroup({ tag: 'operation', isPublic: true, errors: [415] })({
  isLive: [
    'GET //health/live',
    'Liveness of the process',
    { 200: z.object({ state: z.literal('up') }).describe('The process is up') },
  ],
  isReady: [
    'GET //health/ready',
    'Readiness of the services that the process depends on',
    readinessResponses,
  ],
  isRunning: [
    'GET //runningstatus',
    'Readiness of the services that the process depends on',
    readinessResponses,
  ],
  getMetrics: ['GET //metrics', 'Metrics for Prometheus', { 200: text('text/plain', 'In the text format') }],
})

/**
 * `/health/live`: the process serves. `/health/ready`: whether what it depends on answers, each with state and
 * latency; 503 when something required does not; `/runningstatus` is where the reference platform's clients
 * and proxies ask for it. `/metrics`: Prometheus text.
 */
export const createHealthRoutes = ({
  checks,
  metrics,
}: {
  checks: readonly HealthCheck[]
  metrics: Metrics
}): Hono<Environment> => {
  const routes = new Hono<Environment>()
  routes.get('/health/live', (c) => c.json({ state: 'up' }))
  for (const path of ['/health/ready', '/runningstatus']) {
    routes.get(path, async (c) => {
      const readiness = await probe(checks)
      return c.json(readiness, readiness.state === 'down' ? 503 : 200)
    })
  }
  routes.get('/metrics', async (c) =>
    c.body(await metrics.registry.metrics(), 200, { 'Content-Type': metrics.registry.contentType }),
  )
  return routes
}
