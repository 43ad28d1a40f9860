import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import { fail } from '../../core/platform/errors/index.js'
import type { OwnerQuota } from '../../core/platform/limits/index.js'
import type { RequestContext } from './environment.js'

/** Seconds after which somebody who has too many streams may ask again. */
const LATER = 10

/**
 * Follows something for a caller by server-sent events. Each stream looks again and again as long as it is open, so
 * that each user has so many, and all together so many.
 *
 * @param streams of the process: of conversions, media and uploads alike.
 * @param follow sends events until what it follows has ended, or `stream.aborted`.
 * @throws tooManyRequests
 */
export const progressStream = (
  c: RequestContext,
  streams: OwnerQuota,
  follow: (stream: SSEStreamingApi) => Promise<void>,
): Response => {
  // Nobody would read what follows.
  if (c.req.method === 'HEAD') return streamSSE(c, async () => undefined)
  const { name: user } = c.get('principal')
  const release = streams.take(user)
  if (!release)
    throw fail('tooManyRequests', `User ${user}, or this server, has too many open streams of progress`, {
      retryAfter: LATER,
    })
  // A client that has gone may leave a stream that waits for its reader.
  c.req.raw.signal.addEventListener('abort', release, { once: true })
  return streamSSE(c, async (stream) => {
    try {
      await follow(stream)
    } finally {
      release()
    }
  })
}
