import { z } from 'zod'
import { component, json, type RouteDoc } from '../openapi/index.js'

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

const tag = 'operation'

const ready = (path: string, operationId: string): RouteDoc => ({
  method: 'GET',
  path,
  operationId,
  summary: 'Whether what the process depends on answers',
  tag,
  isPublic: true,
  responses: {
    200: json('It can work, if not with all', readiness),
    503: json('Something that is required does not answer', readiness),
  },
})

/** Health and metrics. */
export const healthDocs: readonly RouteDoc[] = [
  {
    method: 'GET',
    path: '//health/live',
    operationId: 'isLive',
    summary: 'Whether the process serves',
    tag,
    isPublic: true,
    responses: { 200: json('It does', z.object({ state: z.literal('up') })) },
  },
  ready('//health/ready', 'isReady'),
  ready('//runningstatus', 'isRunning'),
  {
    method: 'GET',
    path: '//metrics',
    operationId: 'getMetrics',
    summary: 'Metrics for Prometheus',
    tag,
    isPublic: true,
    responses: { 200: { description: 'As text', content: { 'text/plain': z.string() } } },
  },
]
