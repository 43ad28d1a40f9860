import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  type BlobContent,
  READ_BUFFER_BYTES,
  type StoredBlob,
  type WriteOptions,
} from '../../../core/files/blobs/index.js'
import { fail } from '../../../core/platform/errors/index.js'

/**
 * Writes content to a new file.
 *
 * @param receive is called with each part that comes; what it throws ends the write.
 * @returns bytes written.
 * @throws tooLarge, the signal's reason, or what the content or the file fails with.
 */
export const writeContent = async (
  content: BlobContent,
  path: string,
  {
    signal,
    maxLength = Number.POSITIVE_INFINITY,
    receive,
  }: Pick<WriteOptions, 'signal' | 'maxLength'> & { receive?: (chunk: Uint8Array) => void },
): Promise<number> => {
  let length = 0
  const measure = new Transform({
    highWaterMark: READ_BUFFER_BYTES,
    transform(chunk: Uint8Array, _encoding, done) {
      length += chunk.byteLength
      if (length > maxLength) return done(fail('tooLarge', `The content is larger than ${maxLength} bytes`))
      try {
        receive?.(chunk)
      } catch (error) {
        return done(error as Error)
      }
      done(null, chunk)
    },
  })
  // Opened first: a stream that opens its own file may still create it after the caller has cleaned up a failure.
  const file = await open(path, 'wx')
  // Streams from end to end: an abort destroys a stalled source, which a generator in between would wait for.
  await pipeline(asReadable(content), measure, file.createWriteStream({ highWaterMark: READ_BUFFER_BYTES }), {
    signal,
  })
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
  { signal, maxLength, accounting }: WriteOptions,
): Promise<StoredBlob> => {
  const key = createHash('sha256')
  const digest = createHash('md5')
  const receive = (chunk: Uint8Array): void => {
    accounting?.receive(chunk.byteLength)
    key.update(chunk)
    digest.update(chunk)
  }
  const length = await writeContent(content, path, {
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
