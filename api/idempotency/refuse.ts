import type { MiddlewareHandler } from 'hono'
import { fail } from '../../core/platform/errors/index.js'
import { type Environment, routedPath } from '../edge/index.js'
import { IDEMPOTENCY_KEY } from './key.js'

/** Paths below `/api/v1` whose POST supports the header. */
const HONOURING = [
  /^\/automation\/(?!(?:login|runs|schedules)(?:\/|$))[^/]+(?:\/@async)?$/,
  /\/@op\/[^/]+$/,
  /^\/search\/(?:(?:pp|saved)\/[^/]+\/)?bulk\/[^/]+$/,
  /^\/search\/saved$/,
  /^\/(?:id|path)(?:\/(?!@)[^/]*)*(?:\/@(?:comment|annotation|bo\/.*))?$/,
]

const API = '/api/v1'

/** Whether POST to a routed path supports the header. */
export const honoursKey = (path: string): boolean =>
  path.startsWith(API) && HONOURING.some((place) => place.test(path.slice(API.length)))

/**
 * Refuses a POST with a key on a path that ignores it: its caller would send it again in the belief that it
 * runs once. GET, PUT and DELETE are idempotent themselves.
 *
 * @throws badRequest.
 */
export const refuseUnhonoured: MiddlewareHandler<Environment> = (c, next) => {
  if (c.req.method === 'POST' && c.req.header(IDEMPOTENCY_KEY) !== undefined) {
    const path = routedPath(c.req.url)
    if (!honoursKey(path))
      throw fail(
        'badRequest',
        `${IDEMPOTENCY_KEY}: is not supported by POST ${path}; send the request without it`,
      )
  }
  return next()
}
