import type { ConversionJob } from '../../core/automation/runs/index.js'
import { fail } from '../../core/platform/errors/index.js'
import type { RequestContext } from '../edge/index.js'
import { parseInput } from '../parse/index.js'
import { readText } from '../rest/index.js'
import { IGNORED_QUERY } from '../warnings/index.js'
import { conversionParameters } from './conversions.schema.js'

export type ConversionCall = {
  job: ConversionJob
  isAsync: boolean
  /** Current clients send a form body and poll for JSON; older ones send a query and follow a redirect. */
  pollsForJson: boolean
}

/** What an asynchronous call converts to that asks for nothing else (interface specification, asynchronous conversion). */
const PDF = 'application/pdf'

/** A form of parameters; files are converted where they are stored. */
const MAX_FORM_BYTES = 64 * 1024

const firstValues = (parameters: URLSearchParams): { [name: string]: string } => {
  const values: { [name: string]: string } = {}
  for (const [name, value] of parameters) if (!(name in values) && name !== '__proto__') values[name] = value
  return values
}

const isOfEveryRequest = (name: string): boolean =>
  Object.hasOwn(conversionParameters.shape, name) || IGNORED_QUERY.test(name)

/** Parameters that are the converter's, and not those of the request. */
export const converterParameters = (parameters: { [name: string]: string }): { [name: string]: string } =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => !isOfEveryRequest(name)))

/**
 * Reads the parameters of `@convert` from the query and from a form body, which takes precedence.
 * All of them are passed to the converter (blobs-conversions.md §3).
 *
 * @throws badRequest when a synchronous call names no converter, type or format, tooLarge.
 */
export const readConversion = async (
  c: RequestContext,
  file: Pick<ConversionJob, 'source' | 'requestId' | 'documentId'>,
): Promise<ConversionCall> => {
  const query = new URL(c.req.url).searchParams
  const { method } = c.req
  const isForm = (c.req.header('Content-Type') ?? '').startsWith('application/x-www-form-urlencoded')
  const form = new URLSearchParams(isForm && method === 'POST' ? await readText(c, MAX_FORM_BYTES) : '')
  const parameters = { ...firstValues(query), ...firstValues(form) }
  const { converter, type: asked, format: extension, async } = parseInput(conversionParameters, parameters)
  const type = converter === undefined ? asked : undefined
  const format = converter === undefined && type === undefined ? extension : undefined
  const isAsync = method === 'POST' && async?.toLowerCase() === 'true'
  const isUntargeted = converter === undefined && type === undefined && format === undefined
  if (isUntargeted && !isAsync) throw fail('badRequest', 'No converter, type or format parameter specified')
  return {
    job: {
      ...file,
      parameters,
      ...(converter !== undefined && { converter }),
      ...(type !== undefined && { type }),
      ...(isUntargeted && { type: PDF }),
      ...(format !== undefined && { format }),
    },
    isAsync,
    pollsForJson: form.size > 0,
  }
}
