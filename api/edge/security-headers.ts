import type { MiddlewareHandler } from 'hono'
import { outgoingOf } from './outgoing.js'

/** Headers of the current reference platform (reference: security.md §10). */
const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-cache',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'SAMEORIGIN',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
}

/** Set only where a handler does not set its own. */
export const securityHeaders: MiddlewareHandler = async (c, next) => {
  const outgoing = outgoingOf(c)
  if (outgoing) {
    for (const name in SECURITY_HEADERS) outgoing.setHeader(name, SECURITY_HEADERS[name]!)
    return await next()
  }
  await next()
  const { headers } = c.res
  for (const name in SECURITY_HEADERS) if (!headers.has(name)) headers.set(name, SECURITY_HEADERS[name]!)
}
