import type { MiddlewareHandler } from 'hono'
import { fail } from '../../core/platform/errors/index.js'
import { type Environment, routedPath } from '../edge/index.js'
import { IDEMPOTENCY_KEY } from './key.js'

/** Where POST does something once for a key, below `/api/v1`. */
const HONOURING = [
  /^\/automation\/(?!(?:login|runs|schedules)(?:\/|$))[^/]+(?:\/@async)?$/,
  /\/@op\/[^/]+$/,
  /^\/search\/(?:(?:pp|saved)\/[^/]+\/)?bulk\/[^/]+$/,
  /^\/search\/saved$/,
  /^\/(?:id|path)(?:\/(?!@)[^/]*)*(?:\/@(?:comment|annotation|bo\/.*))?$/,
]

const API = '/api/v1'

/** Whether POST to a routed path looks at the header. */
export const honoursKey = (path: string): boolean =>
  path.startsWith(API) && HONOURING.some((place) => place.test(path.slice(API.length)))

/**
 * Refuses a POST with a key where nobody would look at it: its caller would send it again in the belief that it is
 * done once. GET, PUT and DELETE come to the same when they are repeated.
 *
 * @throws badRequest.
 */
export const refuseUnhonoured: MiddlewareHandler<Environment> = (c, next) => {
  if (c.req.method === 'POST' && c.req.header(IDEMPOTENCY_KEY) !== undefined) {
    const path = routedPath(c.req.url)
    if (!honoursKey(path))
      throw fail('badRequest', `${IDEMPOTENCY_KEY}: POST ${path} does not honour it; send it without`)
  }
  return next()
}
