import type { MiddlewareHandler } from 'hono'
import { isMatch } from '../../core/platform/patterns/index.js'
import { type ResponseHeader, responseHeadersRegistry } from '../../core/platform/response-headers/index.js'
import type { Platform } from '../../runtime/index.js'
import { outgoingOf } from './outgoing.js'
import { rawPath } from './paths.js'

const isFor = (url: string, { pattern }: ResponseHeader): boolean =>
  pattern === undefined || isMatch(pattern, rawPath(url))

/** The headers of the extension point `responseHeaders`, set only where a handler does not set its own. */
export const responseHeaders =
  ({ snapshot }: Pick<Platform, 'snapshot'>): MiddlewareHandler =>
  async (c, next) => {
    const headers = snapshot().get(responseHeadersRegistry)
    const outgoing = outgoingOf(c)
    if (outgoing) {
      for (const rule of headers) if (isFor(c.req.url, rule)) outgoing.setHeader(rule.header, rule.value)
      return await next()
    }
    await next()
    const set = c.res.headers
    const added = new Map(
      headers.filter((rule) => isFor(c.req.url, rule)).map((rule) => [rule.header, rule.value]),
    )
    for (const [name, value] of added) if (!set.has(name)) set.set(name, value)
  }
