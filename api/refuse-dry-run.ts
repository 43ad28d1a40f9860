import type { MiddlewareHandler } from 'hono'
import { fail } from '../core/platform/errors/index.js'
import { type Described, type Environment, routedPath, supportOf } from './edge/index.js'

const DRY_RUN = 'dryRun'

/** However it is written: whoever asks for it wants nothing to be done. */
const ANY_SPELLING = /^dry[-_]?run$/i

const WRITING = ['POST', 'PUT', 'DELETE'] as const

/**
 * Refuses a request for a dry run where there is none, instead of doing what it says.
 *
 * @param routes descriptions of all routes.
 * @throws badRequest.
 */
export const refuseDryRun = (routes: readonly Described[]): MiddlewareHandler<Environment> => {
  const supported = new Map(
    WRITING.map((method) => [
      method as string,
      supportOf(routes, {
        method,
        isSupporting: ({ parameters: { query } }) => query !== undefined && DRY_RUN in query.shape,
      }),
    ]),
  )
  return async (c, next) => {
    const isSupported = supported.get(c.req.method)
    const asked = isSupported && Object.keys(c.req.query()).find((name) => ANY_SPELLING.test(name))
    if (asked) {
      const path = routedPath(c.req.url)
      if (!isSupported(path))
        throw fail('badRequest', `${asked}: ${c.req.method} ${path} has no dry run; nothing was done`)
      if (asked !== DRY_RUN) throw fail('badRequest', `${asked}: did you mean "${DRY_RUN}"? Nothing was done`)
    }
    return next()
  }
}
