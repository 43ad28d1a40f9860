import { Hono } from 'hono'
import { z } from 'zod'
import { fail } from '../../core/platform/errors/index.js'
import { createOwnerQuota, createTurns } from '../../core/platform/limits/index.js'
import type { Platform } from '../../runtime/index.js'
import { API, type Environment, refuseForeignWork } from '../edge/index.js'
import { routeGroup } from '../openapi/index.js'
import { parseInput, parseQuery } from '../parse/index.js'
import { eventsQuery, LONGEST, resumption } from './events.schema.js'
import { eventStream } from './stream.js'

const EVENT_STREAM = 'text/event-stream'

export const eventDocs = routeGroup({ tag: 'events' })({
  streamEvents: [
    'GET /events',
    'What happens to documents that the caller may read, as server-sent events',
    {
      description:
        'Each event is a CloudEvent in JSON. The stream ends after an hour; clients connect again by themselves, and ' +
        'go on behind the last event that they have received. Administrators also see events of no document, and of ' +
        'documents that are gone.',
      query: eventsQuery,
      header: resumption,
      200: { description: 'The events', content: { [EVENT_STREAM]: z.string() } },
      errors: [403, 429],
    },
  ],
})

/** Pages that all streams together read at the same time. */
const AT_ONCE = 2

/** Seconds after which somebody who has too many streams may ask again. */
const LATER = 30

const HEADERS = { 'Content-Type': EVENT_STREAM, 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' }

/**
 * Encodes as it is read: nothing of a stream that is thrown away has begun.
 *
 * @param release is called when it has ended.
 */
async function* encoded(texts: AsyncIterable<string>, release: () => void): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  try {
    for await (const text of texts) yield encoder.encode(text)
  } finally {
    release()
  }
}

/** Streams of events of one repository, of which each user may have so many, and all together so many. */
export const createEventRoutes = (platform: Platform): Hono<Environment> => {
  const routes = new Hono<Environment>()
  const index = [...platform.repositories.keys()].indexOf(platform.repository)
  const database = platform.databases[index] ?? platform.database
  const quota = createOwnerQuota(platform.settings.eventStreams)
  const turns = createTurns(AT_ONCE)
  routes.get(`${API}/events`, (c) => {
    refuseForeignWork(c)
    const { seconds = LONGEST, ...choice } = parseQuery(c, eventsQuery)
    const { 'last-event-id': after } = parseInput(resumption, {
      'last-event-id': c.req.header('last-event-id'),
    })
    if (c.req.method === 'HEAD') return new Response(null, { headers: HEADERS })
    const { name: user } = c.get('principal')
    const release = quota.take(user)
    if (!release)
      throw fail('tooManyRequests', `User ${user}, or this server, has too many open streams of events`, {
        retryAfter: LATER,
      })
    const { signal } = c.req.raw
    // A client that has gone before the first event leaves a stream that nobody reads to its end.
    signal.addEventListener('abort', release, { once: true })
    const events = eventStream({ ...{ platform, database, after, seconds, signal, turns }, user, choice })
    return new Response(ReadableStream.from(encoded(events, release)), { headers: HEADERS })
  })
  return routes
}
