import type { MiddlewareHandler } from 'hono'
import type { z } from 'zod'
import { fail } from '../../core/platform/errors/index.js'
import { API, type Environment, routedPath } from '../edge/index.js'
import { IDEMPOTENCY_KEY, REPLAYED } from './key.js'

/** What of the description of a route says whether it honours a key. */
type DescribedRoute = {
  method: string
  /** Template below `/api/v1`. */
  path: string
  parameters: { header?: z.ZodObject | undefined }
}

/** A document by id or path: its path may have slashes, and ends where an adapter begins. */
const DOCUMENT = '(?:/(?!@)[^/]*)*'

/** Addresses of a template. Only names behind an adapter may have slashes. */
const addressesOf = ({ path }: DescribedRoute): RegExp => {
  const [, place = '', rest = path] = /^(\/(?:id|path))\/\{\w+\}(.*)$/.exec(path) ?? []
  const name = rest.includes('/@') ? '.+' : '[^/]+'
  return new RegExp(`^${place && place + DOCUMENT}${rest.replace(/\{\w+\}/g, name)}$`)
}

/** Whether POST to a routed path supports the header, by the descriptions of all routes. */
export const honouringOf = (routes: readonly DescribedRoute[]): ((path: string) => boolean) => {
  const posts = routes.filter(({ method }) => method === 'POST')
  const isHonouring = ({ parameters: { header } }: DescribedRoute) =>
    header !== undefined && IDEMPOTENCY_KEY in header.shape
  const honouring = posts.filter(isHonouring).map(addressesOf)
  // Such as /automation/login, which is no call of an operation.
  const others = posts.filter((route) => !isHonouring(route)).map(addressesOf)
  return (path) => {
    if (!path.startsWith(`${API}/`)) return false
    const below = path.slice(API.length)
    return honouring.some((each) => each.test(below)) && !others.some((each) => each.test(below))
  }
}

/**
 * Refuses a POST with a key on a path that ignores it: its caller would send it again in the belief that it
 * runs once. GET, PUT and DELETE are idempotent themselves. The response to a repeated request says that it is one.
 *
 * @param routes descriptions of all routes.
 * @throws badRequest.
 */
export const refuseUnhonoured = (routes: readonly DescribedRoute[]): MiddlewareHandler<Environment> => {
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
