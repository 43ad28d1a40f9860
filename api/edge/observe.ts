import type { MiddlewareHandler } from 'hono'
import type { Logger } from 'pino'
import type { Environment } from './environment.js'
import { loggedPath } from './logged-path.js'
import type { Metrics } from './metrics.js'
import { outgoingOf } from './outgoing.js'
import { requestIdOf } from './request-id.js'
import { isProbe, methodOf, routeOf } from './route.js'

/**
 * The outermost middleware: sets the request id, also in the response beside the name of
 * this node, and measures and logs the request when its
 * response is ready.
 */
export const observeRequests =
  ({
    logger,
    metrics,
    node,
  }: {
    logger: Logger
    metrics: Metrics
    node: string
  }): MiddlewareHandler<Environment> =>
  async (c, next) => {
    const startedAt = performance.now()
    const requestId = requestIdOf(c.req.header('X-Request-Id'))
    c.set('requestId', requestId)
    const outgoing = outgoingOf(c)
    outgoing?.setHeader('X-Request-Id', requestId)
    outgoing?.setHeader('X-Archivolt-Node', node)
    await next()
    if (!outgoing) {
      c.res.headers.set('X-Request-Id', requestId)
      c.res.headers.set('X-Archivolt-Node', node)
    }
    const milliseconds = performance.now() - startedAt
    const method = methodOf(c)
    const { status } = c.res
    const route = routeOf(c)
    metrics.observe({ method, route, status, seconds: milliseconds / 1000 })
    logger[isProbe(c) ? 'debug' : 'info'](
      {
        requestId,
        method,
        path: loggedPath(c),
        route,
        status,
        user: c.get('principal')?.name,
        ms: Math.round(milliseconds * 10) / 10,
      },
      'request',
    )
  }
