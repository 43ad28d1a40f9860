import { routePath } from 'hono/route'
import type { RequestContext } from './environment.js'

/** Methods allowed as labels: any other could be invented by a caller. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Method of a request as metrics and traces may name it. */
export const methodOf = (c: RequestContext): string => (METHODS.has(c.req.method) ? c.req.method : 'other')

/** Template of the matched route, else `unmatched`. */
export const routeOf = (c: RequestContext): string => {
  const route = c.get('routeTemplate') ?? routePath(c, -1)
  return route === '*' || route === '/*' ? 'unmatched' : route
}

/** Probes come every few seconds: their traces and log lines would hide all others. */
export const isProbe = ({ req: { path } }: RequestContext): boolean =>
  path === '/metrics' || path.startsWith('/health/')
