import type { MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import type { Logger } from 'pino'
import type { Environment, RequestContext } from '../environment.js'
import type { Metrics } from './metrics.js'
import { requestIdOf, requestScope } from './request-context.js'

/** Methods that a label may hold: others are the caller's invention. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

const routeOf = (c: RequestContext): string => {
  const route = c.get('routeTemplate') ?? routePath(c, -1)
  return route === '*' || route === '/*' ? 'unmatched' : route
}

/**
 * Outermost of all: gives a request its id, answers it back, and measures and logs the request when its
 * response is ready.
 */
export const observeRequests =
  ({ logger, metrics }: { logger: Logger; metrics: Metrics }): MiddlewareHandler<Environment> =>
  async (c, next) => {
    const startedAt = performance.now()
    const requestId = requestIdOf(c.req.header('X-Request-Id'))
    c.set('requestId', requestId)
    await requestScope.run({ requestId }, next)
    c.res.headers.set('X-Request-Id', requestId)
    const milliseconds = performance.now() - startedAt
    const method = METHODS.has(c.req.method) ? c.req.method : 'other'
    const { status } = c.res
    const route = routeOf(c)
    metrics.observe({ method, route, status, seconds: milliseconds / 1000 })
    logger.info(
      {
        requestId,
        method,
        path: c.req.path,
        route,
        status,
        user: c.get('principal')?.name,
        ms: Math.round(milliseconds * 10) / 10,
      },
      'request',
    )
  }
