import type { MiddlewareHandler } from 'hono'
import { fail } from '../../core/platform/errors/index.js'

/** Values that mean no encoding; some callers send their charset here. */
const PLAIN = /^(?:identity|utf-?8)?$/i

/**
 * Refuses compressed bodies: nothing here decompresses them, so a file would be stored in another form than
 * intended, and byte limits would not bound the decompressed size.
 *
 * @throws unsupportedMediaType.
 */
export const plainBodies: MiddlewareHandler = (c, next) => {
  const encoding = c.req.header('Content-Encoding')
  if (encoding !== undefined && !PLAIN.test(encoding.trim())) {
    c.header('Accept-Encoding', 'identity')
    throw fail(
      'unsupportedMediaType',
      `Content-Encoding: ${encoding} is not supported; send the body uncompressed`,
    )
  }
  return next()
}
