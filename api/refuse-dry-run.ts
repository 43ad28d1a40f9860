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
  const hasDryRun = ({ parameters: { query } }: Described) => query !== undefined && DRY_RUN in query.shape
  const byMethod = new Map<string, { isServed(path: string): boolean; isSupported(path: string): boolean }>(
    WRITING.map((method) => [
      method,
      {
        isServed: supportOf(routes, { method, isSupporting: () => true }),
        isSupported: supportOf(routes, { method, isSupporting: hasDryRun }),
      },
    ]),
  )
  return async (c, next) => {
    const writing = byMethod.get(c.req.method)
    const asked = writing && Object.keys(c.req.query()).find((name) => ANY_SPELLING.test(name))
    const path = asked ? routedPath(c.req.url) : ''
    if (asked && writing.isServed(path)) {
      if (!writing.isSupported(path))
        throw fail('badRequest', `${asked}: ${c.req.method} ${path} has no dry run; nothing was done`)
      if (asked !== DRY_RUN) throw fail('badRequest', `${asked}: did you mean "${DRY_RUN}"? Nothing was done`)
    }
    return next()
  }
}
