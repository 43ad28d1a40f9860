import type { BlobContent } from '../../core/files/blobs/index.js'
import { isStorable } from '../../core/model/properties/index.js'
import { fail } from '../../core/platform/errors/index.js'
import { bodyOf, hasBody, type RequestContext } from '../edge/index.js'

/** More would cost more to list than they are worth: 10 GiB in parts of 128 KiB. */
const MAX_CHUNKS = 100_000

/** Form encoding, as clients of the reference platform send it: a plus is a space. */
/** Characters of a name: file systems take fewer. */
const LONGEST_NAME = 1_000

const readName = (name: string): string => {
  try {
    const decoded = decodeURIComponent(name.replaceAll('+', ' '))
    if (isStorable(decoded)) return decoded
  } catch {
    // Reported below, as any other name that cannot be read.
  }
  throw fail('badRequest', 'X-File-Name: is not percent-encoded UTF-8 text')
}

const decodedName = (name: string): string => {
  const decoded = readName(name)
  if (decoded.length > LONGEST_NAME)
    throw fail('badRequest', `X-File-Name: must have at most ${LONGEST_NAME} characters`)
  return decoded
}

/** A whole number in a header. @throws badRequest naming the header. */
const numberIn = (c: RequestContext, header: string): number => {
  const text = c.req.header(header)?.trim() ?? ''
  const number = /^\d{1,15}$/.test(text) ? Number(text) : undefined
  if (number === undefined)
    throw fail('badRequest', `${header}: a chunked upload needs a whole number, and not '${text}'`)
  return number
}

export type ReadUpload = {
  file: { name: string | null; mimeType: string | null; content: BlobContent; signal: AbortSignal }
  /** Absent: the body is the whole file. */
  chunk: { size: number; chunk: number; count: number } | undefined
  /** Bytes of the request; -1 when it does not say. */
  length: string
}

const chunkOf = (c: RequestContext): NonNullable<ReadUpload['chunk']> => {
  const count = numberIn(c, 'X-Upload-Chunk-Count')
  if (count < 1 || count > MAX_CHUNKS)
    throw fail('badRequest', `X-Upload-Chunk-Count: must be 1 to ${MAX_CHUNKS}`)
  return { size: numberIn(c, 'X-File-Size'), chunk: numberIn(c, 'X-Upload-Chunk-Index'), count }
}

/**
 * Reads an upload: what its headers say, and its body as it arrives (blobs-conversions.md §1).
 *
 * @throws badRequest naming the header that is wrong.
 */
export const readUpload = (c: RequestContext): ReadUpload => {
  if (/^multipart\/form-data\b/i.test(c.req.header('Content-Type') ?? ''))
    throw fail('badRequest', 'Content-Type: the body must be the bytes of the file, and no form')
  const name = c.req.header('X-File-Name')
  return {
    chunk: c.req.header('X-Upload-Type') === 'chunked' ? chunkOf(c) : undefined,
    file: {
      name: name === undefined ? null : decodedName(name),
      mimeType: c.req.header('X-File-Type') ?? null,
      content: bodyOf(c),
      signal: c.req.raw.signal,
    },
    length: c.req.header('Content-Length') ?? (hasBody(c) ? '-1' : '0'),
  }
}
