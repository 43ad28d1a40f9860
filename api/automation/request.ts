import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import busboy from 'busboy'
import type { BlobStore } from '../../core/blobs/index.js'
import { createBlobValue } from '../../core/blobs/index.js'
import type { BlobValue } from '../../core/documents/index.js'
import { fail } from '../../core/errors/index.js'
import { type AutomationRequest, decodeRequest } from './decode.js'

export type BodyLimits = { maxJsonBytes: number; maxUploadBytes: number }

type Parts = { json: string | undefined; blobs: BlobValue[] }

/** Old clients send header bytes as UTF-8 where the standard says Latin-1: keep what decodes. */
const decodeFileName = (name: string): string => {
  const utf8 = Buffer.from(name, 'latin1').toString('utf8')
  return utf8.includes('\uFFFD') ? name : utf8
}

/**
 * Reads a multipart call: the first part is the JSON whatever its name, every other one a blob that is
 * streamed into the blob store (automation.md §3).
 */
const readParts = (request: Request, blobs: BlobStore, limits: BodyLimits): Promise<Parts> =>
  new Promise((resolve, reject) => {
    const source = Readable.fromWeb(request.body as ReadableStream)
    const parts: Parts = { json: undefined, blobs: [] }
    const writes: Promise<void>[] = []
    const stop = (error: unknown): void => {
      source.unpipe(parser)
      source.resume()
      reject(error)
    }
    const parser = busboy({
      headers: { 'content-type': request.headers.get('content-type') ?? '' },
      defParamCharset: 'latin1',
      limits: { fieldSize: limits.maxJsonBytes, files: 1_000 },
    })

    const writeBlob = async (index: number, stream: Readable, name: string, type: string): Promise<void> => {
      const stored = await blobs.write(stream, { maxLength: limits.maxUploadBytes })
      parts.blobs[index] = createBlobValue({ stored, name, mimeType: type })
    }

    let files = 0
    parser.on('field', (name, value, info) => {
      if (info.valueTruncated)
        return stop(fail('tooLarge', `${name}: JSON may have ${limits.maxJsonBytes} bytes at most`))
      parts.json ??= value
    })
    parser.on('file', (field, stream, info) => {
      if (parts.json === undefined && /json/.test(info.mimeType)) {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', () => {
          parts.json = Buffer.concat(chunks).toString('utf8')
        })
        return
      }
      writes.push(
        writeBlob(files++, stream, decodeFileName(info.filename ?? field), info.mimeType).catch(stop),
      )
    })
    parser.on('error', (error) =>
      stop(fail('badRequest', `The multipart body cannot be read: ${String(error)}`)),
    )
    parser.on('close', () => Promise.all(writes).then(() => resolve(parts), reject))
    source.on('error', stop)
    source.pipe(parser)
  })

const parseJson = (text: string): unknown => {
  if (text.trim() === '') throw fail('badRequest', 'No content in request body')
  try {
    return JSON.parse(text)
  } catch (error) {
    throw fail('badRequest', `The body is not valid JSON: ${error instanceof Error ? error.message : error}`)
  }
}

const readForm = (text: string): string => {
  const json = new URLSearchParams(text).get('jsondata')
  if (json === null) throw fail('badRequest', 'jsondata: the form field with the JSON of the call is missing')
  return json
}

/** Reads at most `maxBytes`; a longer body is refused before it is held in memory. */
const readText = async (request: Request, maxBytes: number): Promise<string> => {
  if (!request.body) return ''
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw fail('tooLarge', `body: ${maxBytes} bytes are possible at most`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * Reads an automation call in any of the content types that clients send (automation.md §3): JSON, the old
 * `application/json+nxrequest`, a form with `jsondata`, and multipart with blobs as the input.
 *
 * @throws badRequest, tooLarge, unsupportedMediaType; each names what is wrong.
 */
export const readAutomationRequest = async (
  request: Request,
  { blobs, limits }: { blobs: BlobStore; limits: BodyLimits },
): Promise<AutomationRequest> => {
  const type = (request.headers.get('content-type') ?? '').toLowerCase()
  if (type.startsWith('multipart/form-data')) {
    const parts = await readParts(request, blobs, limits)
    if (parts.json === undefined) throw fail('badRequest', 'The first part must be the JSON of the call')
    const decoded = decodeRequest(parseJson(parts.json))
    const [blob] = parts.blobs
    if (!blob) throw fail('badRequest', 'A multipart call needs a part with a blob besides the JSON')
    const input =
      parts.blobs.length === 1
        ? { type: 'blob' as const, blob }
        : { type: 'blobs' as const, blobs: parts.blobs }
    return { ...decoded, input }
  }
  const text = await readText(request, limits.maxJsonBytes)
  if (type.startsWith('application/x-www-form-urlencoded')) return decodeRequest(parseJson(readForm(text)))
  if (type !== '' && !type.startsWith('application/json') && !type.startsWith('text/plain')) {
    throw fail('unsupportedMediaType', `Content-Type: '${type}' is not one that automation reads`)
  }
  return decodeRequest(parseJson(text))
}
