import type { MiddlewareHandler } from 'hono'
import { fail } from '../../core/platform/errors/index.js'
import { type Described, type Environment, routedPath, supportOf } from '../edge/index.js'
import { IDEMPOTENCY_KEY, REPLAYED } from './key.js'

/** Whether POST to a routed path supports the header, by the descriptions of all routes. */
export const honouringOf = (routes: readonly Described[]): ((path: string) => boolean) =>
  supportOf(routes, {
    method: 'POST',
    isSupporting: ({ parameters: { header } }) => header !== undefined && IDEMPOTENCY_KEY in header.shape,
  })

/**
 * Refuses a POST with a key on a path that ignores it: its caller would send it again in the belief that it
 * runs once. GET, PUT and DELETE are idempotent themselves. The response to a repeated request says that it is one.
 *
 * @param routes descriptions of all routes.
 * @throws badRequest.
 */
export const refuseUnhonoured = (routes: readonly Described[]): MiddlewareHandler<Environment> => {
  const honours = honouringOf(routes)
  return async (c, next) => {
    if (c.req.method === 'POST' && c.req.header(IDEMPOTENCY_KEY) !== undefined) {
      const path = routedPath(c.req.url)
      if (!honours(path))
        throw fail(
          'badRequest',
          `${IDEMPOTENCY_KEY}: is not supported by POST ${path}; send the request without it`,
        )
    }
    await next()
    if (c.get('isReplayed')) c.res.headers.set(REPLAYED, 'true')
  }
}
