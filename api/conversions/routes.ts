import { Hono } from 'hono'
import { z } from 'zod'
import type { ConversionRuns } from '../../core/automation/runs/index.js'
import type { ConverterRegistry } from '../../core/files/conversions/index.js'
import type { BlobValue } from '../../core/model/properties/index.js'
import { fail } from '../../core/platform/errors/index.js'
import type { Environment, RequestContext } from '../edge/index.js'
import { binary, json, routeGroup } from '../openapi/index.js'
import { documentGroup } from '../rest/index.js'
import {
  conversionParameters,
  conversionScheduled,
  conversionStatus,
  converterList,
} from './conversions.schema.js'
import { readConversion } from './request.js'

export type ConversionDependencies = {
  jobs: ConversionRuns
  converters: ConverterRegistry
  /** Absolute address of the REST tree, as the client reached it: `…/api/v1`. */
  restRootOf(c: RequestContext): string
  /** Sends a blob by the rules of downloads: ranges, ETag, disposition. */
  sendBlob(c: RequestContext, blob: BlobValue): Promise<Response> | Response
}

export type ConversionRoutes = {
  /** `/converters`, and the routes below `/conversion` and `/conversions`. */
  app: Hono<Environment>
  /** The adapter `@convert` on a document's blob. */
  convert(c: RequestContext, source: BlobValue): Promise<Response>
}

const OF_CONVERTER = 'Every other parameter, in the query or the body, is passed to the converter.'

const file = binary('The converted file')
const now = {
  description: OF_CONVERTER,
  query: z.object(conversionParameters.shape).omit({ async: true }),
  200: file,
}
const nowOrLater = {
  description: OF_CONVERTER,
  query: z.object(conversionParameters.shape),
  body: { 'application/x-www-form-urlencoded': conversionParameters },
  takesAnyType: true,
  200: file,
  202: {
    ...json('The conversion is started', conversionScheduled),
    headers: { Location: 'Address of its status' },
  },
} as const
const done = { description: 'It is completed', headers: { Location: 'Address of the file' } }

const group = {
  tag: 'conversions',
  path: { conversion: 'Id of the conversion', xpath: 'Xpath of the file' },
}

export const conversionDocs = [
  ...routeGroup(group)({
    listConverters: [
      'GET /converters',
      'All converters, with the missing package of unavailable ones',
      { 200: converterList },
    ],
    pollConversion: [
      'GET /conversion/{conversion}/poll',
      'The status of a conversion',
      { 200: conversionStatus, 303: done },
    ],
    getConversionResult: [
      'GET /conversion/{conversion}/result',
      'The file of a completed conversion',
      { 200: file },
    ],
    pollConversionJson: [
      'GET /conversions/{conversion}/poll',
      'The status of a conversion',
      { 200: conversionStatus },
    ],
    getConversionResultJson: [
      'GET /conversions/{conversion}/result',
      'The file of a completed conversion',
      { 200: file },
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
}: ConversionDependencies): ConversionRoutes => {
  const app = new Hono<Environment>()

  const urls = (c: RequestContext, root: string, id: string) => {
    const base = `${restRootOf(c)}/${root}/${encodeURIComponent(id)}`
    return { pollingURL: `${base}/poll`, resultURL: `${base}/result` }
  }

  const statusEntity = (c: RequestContext, id: string, status: string) => ({
    'entity-type': 'conversionStatus',
    conversionId: id,
    status,
    resultURL: urls(c, 'conversions', id).resultURL,
  })

  const convert = async (c: RequestContext, source: BlobValue): Promise<Response> => {
    const requestId = c.get('requestId')
    const { job, isAsync, pollsForJson } = await readConversion(c, { source, requestId })
    const principal = c.get('principal')
    const id = await jobs.start(job, principal)
    if (!isAsync) return sendBlob(c, await jobs.result(id, principal))
    const { pollingURL, resultURL } = urls(c, pollsForJson ? 'conversions' : 'conversion', id)
    const entity = { 'entity-type': 'conversionScheduled', conversionId: id, pollingURL, resultURL }
    return c.json(entity, 202, { Location: pollingURL })
  }

  /** A failed conversion is reported as not found with the reason, so that clients stop polling. */
  const stateOf = async (c: RequestContext, id: string) => {
    const state = await jobs.state(id, c.get('principal'))
    if (state.status === 'failed')
      throw fail('notFound', `Conversion ${id} failed: ${state.error.message}`, { cause: state.error })
    return state
  }

  /** All converters; those that miss a program with the Debian package that contains it. */
  app.get('/converters', (c) => c.json({ 'entity-type': 'converters', entries: converters.list() }))

  for (const root of ['conversion', 'conversions']) {
    app.get(`/${root}/:id/poll`, async (c) => {
      const id = c.req.param('id')
      const { status } = await stateOf(c, id)
      if (status === 'completed' && root === 'conversion') return c.redirect(urls(c, root, id).resultURL, 303)
      return c.json(statusEntity(c, id, status))
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
