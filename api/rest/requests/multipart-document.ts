import { randomUUID } from 'node:crypto'
import { fail } from '../../../core/platform/errors/index.js'
import type { Platform } from '../../../runtime/index.js'
import type { RequestContext } from '../../edge/index.js'
import { isMultipart, readMultipart } from '../../multipart/index.js'
import { parseJson } from './body.js'
import type { UploadedParts } from './request-blobs.js'

export { isMultipart }

/** The property of a single file that no property refers to. */
const DEFAULT_XPATH = 'file:content'

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Reads `multipart/form-data`: first a part with the document's JSON, then files, which are streamed into the
 * blob store. A property refers to a file by `{"upload-part": "<part name>"}`; a single file that none refers
 * to becomes the document's `file:content`.
 */
export const readMultipartDocument = async (
  c: RequestContext,
  { blobs, settings }: Platform,
): Promise<{ json: unknown; parts: UploadedParts }> => {
  const { json, files } = await readMultipart(c, {
    blobs: blobs.ownedBy(c.get('principal')),
    maxJsonBytes: settings.http.maxJsonBytes,
    maxUploadBytes: settings.http.maxUploadBytes,
  })
  if (json === undefined)
    throw fail('badRequest', 'The first part of the request must be the JSON of the document')
  const batch = randomUUID()
  let isReferenced = false
  const fromPart = (part: unknown) => {
    isReferenced = true
    return { 'upload-batch': batch, 'upload-fileId': part }
  }
  const parsed = parseJson(json, (_, value) =>
    isObject(value) && 'upload-part' in value ? fromPart(value['upload-part']) : value,
  )
  const [only] = files.keys()
  if (isReferenced || only === undefined || !isObject(parsed))
    return { json: parsed, parts: { batch, files } }
  if (files.size > 1)
    throw fail('badRequest', 'No property refers to the files: {"upload-part": "<part name>"} is missing')
  const properties = isObject(parsed.properties) ? parsed.properties : {}
  return {
    json: { ...parsed, properties: { ...properties, [DEFAULT_XPATH]: fromPart(only) } },
    parts: { batch, files, assumed: DEFAULT_XPATH },
  }
}
