export { healthDocs } from './health.docs.js'

import { Hono } from 'hono'
import { type HealthCheck, probe } from '../../core/platform/telemetry/index.js'
import type { Metrics } from '../edge/index.js'
import type { Environment } from '../environment.js'

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
