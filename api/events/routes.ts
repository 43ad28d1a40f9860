import { Hono } from 'hono'
import { z } from 'zod'
import type { Platform } from '../../runtime/index.js'
import { API, type Environment } from '../edge/index.js'
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
    },
  ],
})

/** Encodes as it is read: nothing of a stream that is thrown away has begun. */
async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  for await (const text of texts) yield encoder.encode(text)
}

export const createEventRoutes = (platform: Platform): Hono<Environment> => {
  const routes = new Hono<Environment>()
  const index = [...platform.repositories.keys()].indexOf(platform.repository)
  const database = platform.databases[index] ?? platform.database
  routes.get(`${API}/events`, (c) => {
    const { seconds = LONGEST, ...choice } = parseQuery(c, eventsQuery)
    const { 'last-event-id': after } = parseInput(resumption, {
      'last-event-id': c.req.header('last-event-id'),
    })
    const { signal } = c.req.raw
    const events = eventStream({
      ...{ platform, database, after, seconds, signal },
      user: c.get('principal').name,
      choice,
    })
    return new Response(ReadableStream.from(encoded(events)), {
      headers: { 'Content-Type': EVENT_STREAM, 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' },
    })
  })
  return routes
}
