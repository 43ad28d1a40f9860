import { Readable } from 'node:stream'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import { READ_BUFFER_BYTES } from '../../core/files/blobs/index.js'
import { fail } from '../../core/platform/errors/index.js'
import type { RequestContext } from './environment.js'
import { incomingOf } from './outgoing.js'

/** Whether a request has a body, which may be empty. */
export const hasBody = (c: RequestContext): boolean => {
  const incoming = incomingOf(c)
  if (!incoming) return c.req.raw.body !== null
  return 'content-length' in incoming.headers || 'transfer-encoding' in incoming.headers
}

/**
 * The bytes of a request, as many as its header announces, as they come. They are not copied into a stream of the web,
 * which costs as much as all else that is done with them. Whoever stops reading them leaves the connection open, so that
 * the client gets its answer.
 */
export const bodyOf = (c: RequestContext): Readable => {
  if (!hasBody(c)) return Readable.from([])
  const header = c.req.header('Content-Length')
  const announced = header === undefined ? undefined : Number(header)
  // The same type under two names: the global and that of the module.
  const source: Readable = incomingOf(c) ?? Readable.fromWeb(c.req.raw.body as NodeReadableStream<Uint8Array>)
  let received = 0
  let isFollowed = false
  const receive = (part: Uint8Array): void => {
    received += part.byteLength
    if (!body.push(part)) source.pause()
  }
  const body: Readable = new Readable({
    highWaterMark: READ_BUFFER_BYTES,
    read: () => {
      if (!isFollowed) source.on('data', receive)
      isFollowed = true
      source.resume()
    },
    destroy: (error, done) => {
      source.off('data', receive)
      source.pause()
      done(error)
    },
  })
  // Reported to whoever reads them, which may be nobody: of a request that is refused by its headers.
  body.on('error', () => undefined)
  source.once('error', (error) => body.destroy(error))
  source.once('end', () => {
    if (announced === undefined || received === announced) body.push(null)
    else
      body.destroy(
        fail('badRequest', `Content-Length: ${announced} bytes were announced, and ${received} came`),
      )
  })
  source.once('close', () => {
    if (!source.readableEnded) body.destroy(new Error('The connection has ended within the body'))
  })
  return body
}
