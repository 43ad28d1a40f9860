import type { MiddlewareHandler } from 'hono'
import { fail } from '../../core/platform/errors/index.js'
import type { Environment, RequestContext } from '../edge/index.js'
import type { AuthenticationScheme } from './scheme.js'

/** Every other path requires authentication, so that anonymous callers cannot find out what exists. */
const OPEN = ['/health/live', '/health/ready', '/runningstatus', '/metrics']

/** Whether a request needs no authentication. */
export const isOpen = (c: RequestContext): boolean => c.req.method === 'OPTIONS' || OPEN.includes(c.req.path)

/**
 * Tries the authentication schemes in order.
 *
 * @throws unauthenticated when none recognises the caller, or the first that finds its credentials rejects them.
 */
export const authenticate = (schemes: readonly AuthenticationScheme[]): MiddlewareHandler<Environment> => {
  const identify = async (c: RequestContext): Promise<void> => {
    for (const scheme of schemes) {
      const asked = scheme.authenticate(c)
      c.set('isRemembered', !(asked instanceof Promise))
      const outcome = asked instanceof Promise ? await asked : asked
      if (outcome === undefined) continue
      if (outcome === 'rejected') throw fail('unauthenticated', 'The credentials are not valid')
      c.set('principal', outcome)
      return
    }
    throw fail('unauthenticated', 'Authentication is required')
  }
  return async (c, next) => {
    if (isOpen(c)) return await next()
    await identify(c)
    c.set('authenticateAgain', identify)
    await next()
  }
}

const SUPPRESSORS = ['X-Authentication-Token', 'X-No-Basic-Header']

/**
 * The challenge that goes with a 401. Absent for callers that would show a browser's password dialog to
 * somebody who is not to see one (reference: security.md §1).
 */
export const challengeOf = (c: RequestContext): string | undefined => {
  const isSuppressed =
    // Covers the cookies of the same names too.
    c.req.header('Cookie') !== undefined || SUPPRESSORS.some((name) => c.req.header(name) !== undefined)
  if (isSuppressed) return undefined
  // Browsers show the realm in their dialog; what clients may compare is the reference platform's.
  const isBrowser = /text\/html/i.test(c.req.header('Accept') ?? '')
  return `Basic realm="${isBrowser ? 'Archivolt' : 'Nuxeo Automation'}"`
}
