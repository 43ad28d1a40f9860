import type { IncomingMessage } from 'node:http'
import { Readable, Transform } from 'node:stream'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'
import type { BlobContent } from '../../core/files/blobs/index.js'
import { fail } from '../../core/platform/errors/index.js'
import type { RequestContext } from '../edge/index.js'

/** The request as Node has it; absent for a call without a connection. */
const incomingOf = (c: RequestContext): IncomingMessage | undefined =>
  (c.env as { incoming?: IncomingMessage } | undefined)?.incoming

/** Whether a request has a body, which may be empty. */
export const hasBody = (c: RequestContext): boolean => {
  const incoming = incomingOf(c)
  if (!incoming) return c.req.raw.body !== null
  return 'content-length' in incoming.headers || 'transfer-encoding' in incoming.headers
}

/** Passes bytes on, and fails when there are more or fewer than announced. */
const exactly = (announced: number | undefined): Transform => {
  let received = 0
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      received += chunk.byteLength
      done(null, chunk)
    },
    flush(done) {
      const isWhole = announced === undefined || received === announced
      done(
        isWhole
          ? null
          : fail('badRequest', `Content-Length: ${announced} bytes were announced, and ${received} came`),
      )
    },
  })
}

/**
 * The bytes of a request, as many as its header announces, as they come. They are not copied into a stream of the web,
 * which costs as much as all else that is done with them. Whoever stops reading them leaves the connection open, so that
 * the client gets its answer.
 */
export const bodyOf = (c: RequestContext): BlobContent => {
  if (!hasBody(c)) return new Uint8Array()
  const header = c.req.header('Content-Length')
  const bytes = exactly(header === undefined ? undefined : Number(header))
  const incoming = incomingOf(c)
  // The same type under two names: the global and that of the module.
  const source: Readable = incoming ?? Readable.fromWeb(c.req.raw.body as NodeReadableStream<Uint8Array>)
  // Reported to whoever reads them, which may be nobody: of a request that is refused by its headers.
  bytes.on('error', () => undefined)
  source.once('error', (error) => bytes.destroy(error))
  source.once('close', () => {
    if (!source.readableEnded) bytes.destroy(new Error('The connection has ended within the body'))
  })
  return source.pipe(bytes)
}
