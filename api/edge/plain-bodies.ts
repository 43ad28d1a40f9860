import type { MiddlewareHandler } from 'hono'
import { fail } from '../../core/platform/errors/index.js'

/** What says that it is no encoding; some callers name their charset here. */
const PLAIN = /^\s*(identity|utf-?8)?\s*$/i

/**
 * Refuses bodies that are compressed: nobody here unpacks them, so that a file would be kept as something else than
 * was sent, and a limit on bytes would say nothing about what they become.
 *
 * @throws unsupportedMediaType.
 */
export const plainBodies: MiddlewareHandler = (c, next) => {
  const encoding = c.req.header('Content-Encoding')
  if (encoding !== undefined && !PLAIN.test(encoding)) {
    c.header('Accept-Encoding', 'identity')
    throw fail('unsupportedMediaType', `Content-Encoding: ${encoding} is not taken; send bodies as they are`)
  }
  return next()
}
