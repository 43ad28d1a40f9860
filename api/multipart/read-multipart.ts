import type { Readable } from 'node:stream'
import { finished, pipeline } from 'node:stream/promises'
import busboy from 'busboy'
import { type BlobStore, createBlobValue } from '../../core/files/blobs/index.js'
import type { BlobValue } from '../../core/model/properties/index.js'
import { fail } from '../../core/platform/errors/index.js'
import { createFreeNames } from '../../core/platform/names/index.js'
import { bodyOf, hasBody, type RequestContext } from '../edge/index.js'
import { createPartQueue } from './part-queue.js'
import { relatedAsForm } from './related-as-form.js'

export type MultipartBody = {
  /** The first part, when it holds JSON. */
  json: string | undefined
  /** Other parts without a file name, by part name. */
  fields: ReadonlyMap<string, string>
  /** Stored files in order, by part name; a name used twice is numbered: `file`, `file#1`. */
  files: ReadonlyMap<string, BlobValue>
}

export type MultipartOptions = { blobs: BlobStore; maxJsonBytes: number; maxUploadBytes: number }

const MAX_PARTS = 1_000

export const isMultipart = (c: RequestContext): boolean =>
  /^multipart\/(form-data|related)\b/i.test(c.req.header('Content-Type') ?? '')

const RELATED = /^multipart\/related\b/i

/** The boundary of a `multipart/related` body; undefined for other bodies, and where it is missing. */
const relatedBoundary = (contentType: string): string | undefined => {
  if (!RELATED.test(contentType)) return undefined
  const [, inQuotes, bare] = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? []
  return inQuotes ?? bare
}

const isJson = (mimeType: string): boolean => /^application\/(?:[\w.-]+\+)?json/i.test(mimeType)

const readLimited = async (stream: Readable, maxBytes: number): Promise<string> => {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    length += chunk.byteLength
    if (length > maxBytes) throw fail('tooLarge', `The JSON part is larger than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The last segment, as some clients send a whole path. */
const fileName = (name: string): string =>
  name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)

/**
 * Reads a multipart body, its files straight into the blob store, so that memory stays flat whatever their
 * size.
 *
 * @throws badRequest when it is malformed or cut short, tooLarge.
 */
export const readMultipart = async (c: RequestContext, options: MultipartOptions): Promise<MultipartBody> => {
  if (!hasBody(c)) throw fail('badRequest', 'No content in request body')
  const parser = createParser(c, options)
  const reading: Promise<void>[] = []
  const queue = createPartQueue(() => parser.destroyed)
  const collected = { json: undefined as string | undefined, fields: new Map<string, string>() }
  const files = new Map<string, BlobValue | null>()
  const freeName = createFreeNames((name, count) => `${name}#${count}`)

  const readFile = async (stream: Readable, { part, name, mimeType, encoding }: FilePart): Promise<void> => {
    if (isJson(mimeType) && files.size === 0 && collected.json === undefined) {
      collected.json = await readLimited(stream, options.maxJsonBytes)
      return
    }
    const key = freeName(part)
    // Reserves its place in the order of the request before it is stored.
    files.set(key, null)
    const stored = await queue.add(stream, () =>
      options.blobs.write(stream, { maxLength: options.maxUploadBytes }),
    )
    if (stored) files.set(key, createBlobValue({ stored, name, mimeType, encoding }))
  }

  parser.on('file', (part, stream, { filename, mimeType }) => {
    const name = filename ? fileName(filename) : null
    // The body may end before the part is read; without a listener that error would end the process.
    stream.on('error', () => undefined)
    const read = readFile(stream, { part: part ?? '', name, mimeType, encoding: null })
    // An error in a part must stop the request, or the rest of it would never be read.
    read.catch((error) => parser.destroy(error))
    reading.push(read)
  })
  parser.on('field', (part, value, { valueTruncated, mimeType }) => {
    if (valueTruncated)
      return void parser.destroy(fail('tooLarge', `${part}: larger than ${options.maxJsonBytes} bytes`))
    const isFirst = collected.json === undefined && collected.fields.size === 0 && files.size === 0
    if (isFirst && (isJson(mimeType) || value.trimStart().startsWith('{'))) collected.json = value
    else collected.fields.set(part, value)
  })
  parser.on('partsLimit', () => parser.destroy(fail('badRequest', `More than ${MAX_PARTS} parts`)))

  try {
    await pump(c, queue.paced(bodyOf(c)), parser)
    await Promise.all(reading)
  } finally {
    // No part is still being stored when the response is sent.
    await Promise.allSettled(reading)
  }
  return { ...collected, files: files as Map<string, BlobValue> }
}

type FilePart = { part: string; name: string | null; mimeType: string; encoding: string | null }

const createParser = (c: RequestContext, { maxJsonBytes }: MultipartOptions): busboy.Busboy => {
  try {
    return busboy({
      headers: { 'content-type': c.req.header('Content-Type')?.replace(RELATED, 'multipart/form-data') },
      defParamCharset: 'utf8',
      fileHwm: 1024 * 1024,
      preservePath: true,
      limits: { fieldSize: maxJsonBytes, parts: MAX_PARTS },
    })
  } catch (cause) {
    throw fail('badRequest', `Content-Type: ${(cause as Error).message}`, { cause })
  }
}

const pump = async (
  c: RequestContext,
  bytes: AsyncIterable<Buffer>,
  parser: busboy.Busboy,
): Promise<void> => {
  const boundary = relatedBoundary(c.req.header('Content-Type') ?? '')
  try {
    await (boundary === undefined
      ? pipeline(bytes, parser)
      : pipeline(bytes, relatedAsForm(boundary), parser))
    await finished(parser)
  } catch (error) {
    if (error instanceof Error && error.name === 'ArchivoltError') throw error
    throw fail('badRequest', `The multipart body is malformed: ${(error as Error).message}`, { cause: error })
  }
}
