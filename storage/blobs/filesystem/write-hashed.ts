import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { addAbortSignal, finished, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  type BlobContent,
  READ_BUFFER_BYTES,
  type StoredBlob,
  type WriteOptions,
} from '../../../core/files/blobs/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import { passBuffers } from './young-buffers.js'

/** Most parts that are written by one call of the system. */
const MAX_PARTS = 1_024

/** Writes all parts at the file's end, also when the system takes a part of them alone. */
const writeParts = async (file: FileHandle, parts: readonly Uint8Array[]): Promise<void> => {
  const total = parts.reduce((sum, { byteLength }) => sum + byteLength, 0)
  const { bytesWritten } = await file.writev([...parts])
  if (bytesWritten < total) await file.writeFile(Buffer.concat(parts).subarray(bytesWritten))
}

/**
 * Writes content to a new file, and closes it. Parts are gathered to a buffer's length before they are written, while
 * the next ones come: two buffers of each content are in memory at most.
 *
 * @param file opened by the caller.
 * @param receive is called with each part that comes; what it throws ends the write.
 * @returns bytes written.
 * @throws tooLarge, the signal's reason, or what the content or the file fails with.
 */
export const writeContent = async (
  content: BlobContent,
  file: FileHandle,
  {
    signal,
    maxLength = Number.POSITIVE_INFINITY,
    receive,
  }: Pick<WriteOptions, 'signal' | 'maxLength'> & { receive?: ((part: Uint8Array) => void) | undefined },
): Promise<number> => {
  const source = asReadable(content)
  // Destroys a stalled source, which nothing else would wake.
  if (signal) addAbortSignal(signal, source)
  let length = 0
  let parts: Uint8Array[] = []
  let gathered = 0
  let writing: Promise<void> | undefined
  let failure: unknown

  const stop = (error: unknown): void => {
    failure ??= error
    source.destroy(error as Error)
  }
  const isFull = (): boolean => gathered >= READ_BUFFER_BYTES || parts.length >= MAX_PARTS
  const writeGathered = (): void => {
    const taken = parts
    parts = []
    gathered = 0
    writing = writeParts(file, taken).then(() => {
      writing = undefined
      if (isFull()) writeGathered()
      source.resume()
    }, stop)
  }

  source.on('data', (part: Uint8Array) => {
    // What was buffered may come out of a destroyed source as well.
    if (failure !== undefined) return
    length += part.byteLength
    try {
      if (length > maxLength) throw fail('tooLarge', `The content is larger than ${maxLength} bytes`)
      receive?.(part)
    } catch (error) {
      return stop(error)
    }
    parts.push(part)
    gathered += part.byteLength
    passBuffers(part.byteLength)
    if (!isFull()) return
    if (writing) source.pause()
    else writeGathered()
  })
  try {
    await new Promise<void>((resolve, reject) => {
      finished(source, { writable: false }, (error) => (error ? reject(error) : resolve()))
    })
    await writing
    if (failure === undefined && parts.length > 0) writeGathered()
    await writing
  } finally {
    await writing
    await file.close()
  }
  if (failure !== undefined) throw failure
  return length
}

/**
 * Writes content to a new file, and says what the store knows it by.
 *
 * @throws as `writeContent` does.
 */
export const writeHashed = async (
  content: BlobContent,
  path: string,
  { signal, maxLength, accounting, receive: report }: WriteOptions,
): Promise<StoredBlob> => {
  const key = createHash('sha256')
  const digest = createHash('md5')
  const receive = (chunk: Uint8Array): void => {
    report?.(chunk.byteLength)
    accounting?.receive(chunk.byteLength)
    key.update(chunk)
    digest.update(chunk)
  }
  const length = await writeContent(content, await open(path, 'wx'), {
    receive,
    ...(signal && { signal }),
    ...(maxLength !== undefined && { maxLength }),
  })
  return { key: key.digest('hex'), digest: digest.digest('hex'), digestAlgorithm: 'MD5', length }
}

const asReadable = (content: BlobContent): Readable => {
  if (content instanceof Readable) return content
  // A lone Uint8Array is iterable byte by byte; wrapped, it passes as one chunk.
  return Readable.from(content instanceof Uint8Array ? [content] : content)
}

/** Lower-case hex SHA-256 of a file's bytes. */
export const keyOfFile = async (path: string): Promise<string> => {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: READ_BUFFER_BYTES }), hash)
  return hash.digest('hex')
}
