import { Hono } from 'hono'
import type { HealthCheck } from '../../storage/platform/index.js'
import type { Metrics } from '../edge/index.js'
import type { Environment } from '../environment.js'

const CHECK_MS = 2_000

type Finding = { name: string; state: 'up' | 'degraded' | 'down'; latencyMs: number; message?: string }

const withDeadline = async (check: () => Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${CHECK_MS} ms`)), CHECK_MS)
  })
  try {
    await Promise.race([check(), late])
  } finally {
    clearTimeout(timer)
  }
}

const find = async ({ name, isRequired, check }: HealthCheck): Promise<Finding> => {
  const startedAt = performance.now()
  const latencyMs = () => Math.round((performance.now() - startedAt) * 10) / 10
  try {
    await withDeadline(check)
    return { name, state: 'up', latencyMs: latencyMs() }
  } catch (error) {
    // The route is open: what exactly failed, with names of hosts and folders, is for the log.
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'failed'
    return { name, state: isRequired ? 'down' : 'degraded', latencyMs: latencyMs(), message: code }
  }
}

/**
 * `/health/live`: the process serves. `/health/ready`: whether what it depends on answers, each with state and
 * latency; 503 when something required does not. `/metrics`: Prometheus text.
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
  routes.get('/health/ready', async (c) => {
    const dependencies = await Promise.all(checks.map(find))
    const isDown = dependencies.some(({ state }) => state === 'down')
    const isDegraded = dependencies.some(({ state }) => state === 'degraded')
    const state = isDown ? 'down' : isDegraded ? 'degraded' : 'up'
    return c.json({ state, dependencies }, isDown ? 503 : 200)
  })
  routes.get('/metrics', async (c) =>
    c.body(await metrics.registry.metrics(), 200, { 'Content-Type': metrics.registry.contentType }),
  )
  return routes
}
