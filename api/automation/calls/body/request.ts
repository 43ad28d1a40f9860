import type { RunRequest } from '../../../../core/automation/planning/index.js'
import type { BlobStore } from '../../../../core/files/blobs/index.js'
import { fail } from '../../../../core/platform/errors/index.js'
import type { RequestContext } from '../../../edge/index.js'
import { isMultipart, readMultipart } from '../../../multipart/index.js'
import { parseJson, readText } from '../../../rest/index.js'
import { decodeRequest, documentPropertiesOf, unknownMembersOf } from './decode.js'

export type BodyLimits = { maxJsonBytes: number; maxUploadBytes: number }

const readForm = (text: string): string => {
  const json = new URLSearchParams(text).get('jsondata')
  if (json === null)
    throw fail(
      'badRequest',
      'jsondata: the form field with the JSON of the call is missing; JSON itself is sent as application/json',
    )
  return json
}

/** Decodes the call, and sets the schemas that its response shows. */
const understood = (c: RequestContext, text: string): RunRequest => {
  const body = parseJson(text)
  const request = decodeRequest(body)
  c.set('documentProperties', documentPropertiesOf(body))
  c.set('unknownMembers', unknownMembersOf(body))
  return request
}

/** The first part is the JSON whatever its name, every other one a blob of the input (reference: automation.md §3). */
const readParts = async (
  c: RequestContext,
  { blobs, limits }: { blobs: BlobStore; limits: BodyLimits },
): Promise<RunRequest> => {
  const { json, files } = await readMultipart(c, { blobs, ...limits })
  if (json === undefined) throw fail('badRequest', 'The first part must be the JSON of the call')
  const decoded = understood(c, json)
  const [blob, ...more] = files.values()
  if (!blob) throw fail('badRequest', 'A multipart call needs a part with a blob besides the JSON')
  return {
    ...decoded,
    input: more.length === 0 ? { type: 'blob', blob } : { type: 'blobs', blobs: [blob, ...more] },
  }
}

/**
 * Reads an automation call in any of the content types that clients send (reference: automation.md §3): JSON, the old
 * `application/json+nxrequest`, a form with `jsondata`, and multipart with blobs as the input.
 *
 * @throws badRequest, tooLarge, unsupportedMediaType; each names what is wrong.
 */
export const readAutomationRequest = async (
  c: RequestContext,
  services: { blobs: BlobStore; limits: BodyLimits },
): Promise<RunRequest> => {
  if (isMultipart(c)) return readParts(c, services)
  const type = c.req.header('Content-Type')?.toLowerCase() ?? ''
  const text = await readText(c, services.limits.maxJsonBytes)
  if (type.startsWith('application/x-www-form-urlencoded')) return understood(c, readForm(text))
  if (type !== '' && !type.startsWith('application/json')) {
    throw fail(
      'unsupportedMediaType',
      `Content-Type: '${type}' is not supported; send JSON, a form or a multipart body`,
    )
  }
  return understood(c, text)
}
