import type { MiddlewareHandler } from 'hono'

/** Of today's reference platform (security.md §10); set only where a handler has not set its own. */
const HEADERS: readonly (readonly [string, string])[] = [
  ['Cache-Control', 'no-cache'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'SAMEORIGIN'],
  ['Referrer-Policy', 'strict-origin-when-cross-origin'],
]

export const securityHeaders: MiddlewareHandler = async (c, next) => {
  await next()
  const { headers } = c.res
  for (const [name, value] of HEADERS) if (!headers.has(name)) headers.set(name, value)
}
