import { routePath } from 'hono/route'
import type { RequestContext } from './environment.js'

/** Methods that a label may hold: others are the caller's invention. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Method of a request as metrics and traces may name it. */
export const methodOf = (c: RequestContext): string => (METHODS.has(c.req.method) ? c.req.method : 'other')

/** Template of the route that has answered, `unmatched` when none has. */
export const routeOf = (c: RequestContext): string => {
  const route = c.get('routeTemplate') ?? routePath(c, -1)
  return route === '*' || route === '/*' ? 'unmatched' : route
}

/** Asked every few seconds by what watches the process: its traces and log lines would bury all others. */
export const isProbe = ({ req: { path } }: RequestContext): boolean =>
  path === '/metrics' || path.startsWith('/health/')
