import { withLongsAsTexts } from '../../../core/model/properties/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import { createOwnerQuota, requireModestJson } from '../../../core/platform/limits/index.js'
import type { RequestContext } from '../../edge/index.js'

const JSON_TYPE = /^application\/(?:json|[\w.-]+\+nxentity|[\w.-]+\+esentity|json\+\w+)\s*(?:;|$)/i

/** Whether the body is JSON, which it is without a content type, too (rest-documents.md §1). */
export const isJsonRequest = (c: RequestContext): boolean => {
  const type = c.req.header('Content-Type')
  return type === undefined || JSON_TYPE.test(type)
}

const tooLarge = (maxBytes: number) => fail('tooLarge', `The request body is larger than ${maxBytes} bytes`)

const MIB = 1024 * 1024

/** Bytes of bodies that are on their way, of one user and of all, in this process: their senders may take their time. */
const onTheWay = createOwnerQuota({ each: 64 * MIB, all: 512 * MIB })

const hold = (c: RequestContext, bytes: number): (() => void) => {
  const release = onTheWay.take(c.get('principal')?.name ?? '', bytes)
  if (release) return release
  throw fail('tooManyRequests', 'Too many request bodies are on their way; send them one after another', {
    retryAfter: 1,
  })
}

const readCounted = async (
  c: RequestContext,
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
): Promise<string> => {
  const chunks: Uint8Array[] = []
  const held: (() => void)[] = []
  let length = 0
  try {
    for await (const chunk of body) {
      length += chunk.byteLength
      if (length > maxBytes) throw tooLarge(maxBytes)
      held.push(hold(c, chunk.byteLength))
      chunks.push(chunk)
    }
    return Buffer.concat(chunks).toString('utf8')
  } finally {
    for (const release of held) release()
  }
}

/**
 * The body as text. Its size is known before it is read, or counted while it is.
 *
 * @throws tooLarge; tooManyRequests while the caller's other bodies on their way are too large together.
 */
export const readText = async (c: RequestContext, maxBytes: number): Promise<string> => {
  const length = c.req.header('Content-Length')
  if (length === undefined) return c.req.raw.body === null ? '' : readCounted(c, c.req.raw.body, maxBytes)
  if (Number(length) > maxBytes) throw tooLarge(maxBytes)
  const release = hold(c, Number(length))
  try {
    return await c.req.text()
  } finally {
    release()
  }
}

/**
 * The JSON body of a request.
 *
 * @throws unsupportedMediaType, tooLarge, badRequest when it is empty or malformed.
 */
export const readJson = async (c: RequestContext, maxBytes: number): Promise<unknown> => {
  if (!isJsonRequest(c))
    throw fail('unsupportedMediaType', `Content-Type: ${c.req.header('Content-Type')} is not JSON`)
  return parseJson(await readText(c, maxBytes))
}

/** @throws badRequest when the text is empty, malformed, nested too deep, or has too many parts. */
export const parseJson = (text: string, reviver?: (key: string, value: unknown) => unknown): unknown => {
  if (text.trim() === '') throw fail('badRequest', 'No content in request body')
  requireModestJson('The request body', text)
  try {
    return JSON.parse(withLongsAsTexts(text), reviver)
  } catch (cause) {
    throw fail('badRequest', `The request body is not JSON: ${(cause as Error).message}`, { cause })
  }
}

/** Checks that a body is an entity of a type; its reader checks the rest. */
export const requireEntity = (body: unknown, type: string): Record<string, unknown> => {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw fail('badRequest', `The request body must be an entity of type ${type}`)
  const entity = body as Record<string, unknown>
  if (entity['entity-type'] !== type)
    throw fail('badRequest', `entity-type: must be "${type}", not ${JSON.stringify(entity['entity-type'])}`)
  return entity
}
