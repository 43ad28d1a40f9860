import type { MiddlewareHandler } from 'hono'

/** Of today's reference platform (security.md §10). */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-cache',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'SAMEORIGIN',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
}

/** Set only where a handler has not set its own; the hot paths bring them along, which is told by the last. */
export const securityHeaders: MiddlewareHandler = async (c, next) => {
  await next()
  const { headers } = c.res
  if (headers.has('Referrer-Policy')) return
  for (const name in SECURITY_HEADERS) if (!headers.has(name)) headers.set(name, SECURITY_HEADERS[name]!)
}
