import { Hono } from 'hono'
import type { SSEStreamingApi } from 'hono/streaming'
import { z } from 'zod'
import type { ConversionRuns, ConversionState } from '../../core/automation/runs/index.js'
import { askedParameters, type ConverterRegistry } from '../../core/files/conversions/index.js'
import type { BlobValue } from '../../core/model/properties/index.js'
import { fail } from '../../core/platform/errors/index.js'
import type { OwnerQuota } from '../../core/platform/limits/index.js'
import { type Environment, progressStream, type RequestContext } from '../edge/index.js'
import { binary, downloadable, json, routeGroup } from '../openapi/index.js'
import { parseQuery } from '../parse/index.js'
import { documentGroup } from '../rest/index.js'
import { withWarnings } from '../warnings/index.js'
import {
  conversionList,
  conversionParameters,
  conversionScheduled,
  conversionStatus,
  conversionsQuery,
  converterList,
} from './conversions.schema.js'
import { converterParameters, readConversion } from './request.js'

export type ConversionDependencies = {
  jobs: ConversionRuns
  converters: ConverterRegistry
  /** Absolute address of the REST tree, as the client reached it: `…/api/v1`. */
  restRootOf(c: RequestContext): string
  /** Sends a blob by the rules of downloads: ranges, ETag, disposition. */
  sendBlob(c: RequestContext, blob: BlobValue): Promise<Response> | Response
  /** Streams of progress of the process. */
  streams: OwnerQuota
}

export type ConversionRoutes = {
  /** `/converters`, and the routes below `/conversion` and `/conversions`. */
  app: Hono<Environment>
  /** The adapter `@convert` on a document's blob. */
  convert(c: RequestContext, file: { source: BlobValue; documentId: string }): Promise<Response>
}

const PAGE_SIZE = 50
const MAX_PAGE_SIZE = 1000

/** Milliseconds between two looks at a conversion that somebody follows. */
const FOLLOW_MS = 500

/** Seconds: most conversions take less. */
const POLL_LATER = { 'Retry-After': '1' }

const OF_CONVERTER = 'Every other parameter, in the query or the body, is passed to the converter.'

const WAIT = 'Seconds to wait before the next poll; absent when it is completed'

const now = {
  description: OF_CONVERTER,
  query: conversionParameters.omit({ async: true }),
  ...downloadable('The converted file', 415, 422, 429),
  warns: true as const,
}
const nowOrLater = {
  description: OF_CONVERTER,
  query: conversionParameters,
  body: { 'application/x-www-form-urlencoded': conversionParameters },
  takesAnyType: true,
  200: binary('The converted file'),
  errors: [415, 429],
  warns: true,
  202: {
    ...json('The conversion is started', conversionScheduled),
    headers: { Location: 'Address of its status', 'Retry-After': WAIT },
  },
} as const
const polled = {
  ...json('Its status', conversionStatus),
  headers: { 'Retry-After': WAIT },
}
const ENDS = 'One that failed is 422 with the reason, one that was cancelled 410.'
const cancelled = {
  202: 'It is cancelled as soon as its worker notices',
  errors: [409],
  isOwn: true,
} as const
const FOLLOWED =
  'Each event is named by the status: scheduled, running, completed, failed or cancelled. Its data is the status as JSON.'
const followed = {
  description: 'Its status whenever that changes',
  content: { 'text/event-stream': z.string() },
}
const done = { description: 'It is completed', headers: { Location: 'Address of the file' } }

const group = {
  tag: 'conversions',
  path: { conversion: 'Id of the conversion', xpath: 'Xpath of the file' },
}

export const conversionDocs = [
  ...routeGroup(group)({
    listConverters: [
      'GET /converters',
      'All converters with their parameters, and with the missing package of unavailable ones',
      { 200: converterList },
    ],
    listConversions: [
      'GET /conversions',
      'Conversions of the caller, those that began or ended last first',
      { query: conversionsQuery, 200: conversionList },
    ],
    cancelConversion: ['DELETE /conversion/{conversion}', 'Cancels a conversion', cancelled],
    cancelConversionJson: ['DELETE /conversions/{conversion}', 'Cancels a conversion', cancelled],
    pollConversion: [
      'GET /conversion/{conversion}/poll',
      'The status of a conversion',
      { description: ENDS, 200: polled, 303: done, errors: [410, 422] },
    ],
    followConversion: [
      'GET /conversion/{conversion}/events',
      'The status of a conversion as server-sent events, until it has ended',
      { description: FOLLOWED, 200: followed, errors: [429] },
    ],
    followConversionJson: [
      'GET /conversions/{conversion}/events',
      'The status of a conversion as server-sent events, until it has ended',
      { description: FOLLOWED, 200: followed, errors: [429] },
    ],
    getConversionResult: [
      'GET /conversion/{conversion}/result',
      'The file of a completed conversion',
      downloadable('The converted file', 410, 422),
    ],
    pollConversionJson: [
      'GET /conversions/{conversion}/poll',
      'The status of a conversion',
      { description: ENDS, 200: polled, errors: [410, 422] },
    ],
    getConversionResultJson: [
      'GET /conversions/{conversion}/result',
      'The file of a completed conversion',
      downloadable('The converted file', 410, 422),
    ],
  }),
  ...documentGroup(group)({
    convertMainBlob: ['GET /@convert', 'Converts the main file of a document', now],
    startToConvertMainBlob: [
      'POST /@convert',
      'Converts the main file of a document, now or later',
      nowOrLater,
    ],
    convertBlob: ['GET /@blob/{xpath}/@convert', 'Converts a file of a document', now],
    startToConvertBlob: [
      'POST /@blob/{xpath}/@convert',
      'Converts a file of a document, now or later',
      nowOrLater,
    ],
  }),
]

/** Routes that request, poll and fetch conversions (blobs-conversions.md §3). */
export const createConversionRoutes = ({
  jobs,
  converters,
  restRootOf,
  sendBlob,
  streams,
}: ConversionDependencies): ConversionRoutes => {
  const app = new Hono<Environment>()

  const urls = (c: RequestContext, root: string, id: string) => {
    const base = `${restRootOf(c)}/${root}/${encodeURIComponent(id)}`
    return { pollingURL: `${base}/poll`, resultURL: `${base}/result` }
  }

  const statusEntity = (c: RequestContext, id: string, state: { status: string; progress?: number }) => ({
    'entity-type': 'conversionStatus',
    conversionId: id,
    ...state,
    resultURL: urls(c, 'conversions', id).resultURL,
  })

  const convert: ConversionRoutes['convert'] = async (c, file) => {
    const requestId = c.get('requestId')
    const { job, isAsync, pollsForJson } = await readConversion(c, { ...file, requestId })
    const { unknown, refusal } = askedParameters(converters, file.source, {
      target: job,
      given: converterParameters(job.parameters),
    })
    if (refusal) throw refusal
    return withWarnings(c, unknown, async () => {
      const principal = c.get('principal')
      const id = await jobs.start(job, principal)
      if (!isAsync) return sendBlob(c, await jobs.result(id, principal))
      const { pollingURL, resultURL } = urls(c, pollsForJson ? 'conversions' : 'conversion', id)
      const entity = { 'entity-type': 'conversionScheduled', conversionId: id, pollingURL, resultURL }
      return c.json(entity, 202, { Location: pollingURL, ...POLL_LATER })
    })
  }

  /** One without a result is an error, so that clients stop polling. */
  const stateOf = async (c: RequestContext, id: string) => {
    const state = await jobs.state(id, c.get('principal'))
    if (state.status === 'cancelled') throw fail('gone', `Conversion ${id} was cancelled`)
    if (state.status === 'failed')
      throw fail('conversionFailed', `Conversion ${id} failed: ${state.error.message}`, {
        cause: state.error,
      })
    return state
  }

  const eventOf = (c: RequestContext, id: string, state: ConversionState) => {
    const { status } = state
    if (status === 'failed') return { status, message: state.error.message }
    if (status === 'cancelled') return { status }
    if (status === 'completed') return statusEntity(c, id, { status })
    return statusEntity(c, id, state)
  }

  /** Sends what has changed, until the conversion has ended or its follower has gone. */
  const follow = async (stream: SSEStreamingApi, c: RequestContext, id: string): Promise<void> => {
    let sent = ''
    while (!stream.aborted) {
      const state = await jobs.state(id, c.get('principal'))
      const data = JSON.stringify(eventOf(c, id, state))
      if (data !== sent) await stream.writeSSE({ event: state.status, data })
      sent = data
      if (state.status !== 'scheduled' && state.status !== 'running') return
      await stream.sleep(FOLLOW_MS)
    }
  }

  app.get('/conversions', async (c) => {
    const { pageSize } = parseQuery(c, conversionsQuery)
    const limit = Math.min(pageSize || PAGE_SIZE, MAX_PAGE_SIZE)
    const listed = await jobs.list(c.get('principal'), limit)
    return c.json({
      'entity-type': 'conversions',
      entries: listed.map(({ id, ...conversion }) => ({
        'entity-type': 'conversion',
        conversionId: id,
        ...conversion,
        ...urls(c, 'conversions', id),
      })),
    })
  })

  /** All converters; those that miss a program with the Debian package that contains it. */
  app.get('/converters', (c) => c.json({ 'entity-type': 'converters', entries: converters.list() }))

  for (const root of ['conversion', 'conversions']) {
    app.get(`/${root}/:id/poll`, async (c) => {
      const id = c.req.param('id')
      const state = await stateOf(c, id)
      if (state.status !== 'completed') return c.json(statusEntity(c, id, state), 200, POLL_LATER)
      if (root === 'conversion') return c.redirect(urls(c, root, id).resultURL, 303)
      return c.json(statusEntity(c, id, { status: state.status }))
    })

    app.get(`/${root}/:id/events`, async (c) => {
      const id = c.req.param('id')
      // One that does not exist is refused before the stream begins.
      await jobs.state(id, c.get('principal'))
      return progressStream(c, streams, (stream) => follow(stream, c, id))
    })

    app.delete(`/${root}/:id`, async (c) => {
      await jobs.cancel(c.req.param('id'), c.get('principal'))
      return c.body(null, 202)
    })

    app.get(`/${root}/:id/result`, async (c) => {
      const id = c.req.param('id')
      const state = await stateOf(c, id)
      if (state.status !== 'completed') throw fail('notFound', `Conversion ${id} is not ready`)
      return sendBlob(c, state.blob)
    })
  }

  return { app, convert }
}
