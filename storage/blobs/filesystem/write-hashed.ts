import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { addAbortSignal, finished, Readable } from 'node:stream'
import {
  type BlobContent,
  fileContent,
  type StoredBlob,
  type WriteOptions,
} from '../../../core/files/blobs/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import { giveBackBuffer, takeBuffer } from './gather-buffers.js'
import { createContentHashes } from './hash-threads.js'
import { passBuffers } from './young-buffers.js'

/** Writes bytes at the file's end, also when the system takes a part of them alone. */
const writeAll = async (file: FileHandle, bytes: Uint8Array): Promise<void> => {
  let written = 0
  while (written < bytes.byteLength)
    written += (await file.write(bytes, written, bytes.byteLength - written)).bytesWritten
}

/** What is done with content while it is written. */
type Following = Pick<WriteOptions, 'signal' | 'maxLength'> & {
  /** Called with the length of each part that comes; what it throws ends the write. */
  receive?: ((bytes: number) => void) | undefined
  /** Called with all bytes in their order, beside the writing of them, and with the last ones, if only none, at the end. */
  digest?: ((bytes: Uint8Array, isLast: boolean) => Promise<void>) | undefined
}

/** Gathers what comes in buffers, each of which is written and digested while the next one fills. */
const createGathering = (file: FileHandle, digest: Following['digest']) => {
  let buffer: Uint8Array | undefined
  let filled = 0
  /** Parts of which something is not in a buffer yet. */
  const rest: Uint8Array[] = []

  const isFull = (): boolean => filled === buffer?.byteLength

  const use = async (taken: Uint8Array, bytes: Uint8Array, isLast: boolean): Promise<void> => {
    // Both have ended, even if one failed: until then the buffer is read.
    const ends = await Promise.allSettled([writeAll(file, bytes), digest?.(bytes, isLast)])
    giveBackBuffer(taken)
    for (const end of ends) if (end.status === 'rejected') throw end.reason
  }

  return {
    isFull,
    /** @returns whether the buffer is full, so that it is to be taken before there is room for more. */
    add: (part?: Uint8Array): boolean => {
      if (part) rest.push(part)
      while (rest[0] && !isFull()) {
        buffer ??= takeBuffer()
        const [first] = rest
        const fits = first.subarray(0, buffer.byteLength - filled)
        buffer.set(fits, filled)
        filled += fits.byteLength
        if (fits.byteLength === first.byteLength) rest.shift()
        else rest[0] = first.subarray(fits.byteLength)
      }
      return isFull()
    },
    /** Writes what the buffer holds. */
    take: (isLast = false): Promise<void> => {
      const taken = buffer ?? takeBuffer()
      const bytes = taken.subarray(0, filled)
      buffer = undefined
      filled = 0
      return use(taken, bytes, isLast)
    },
    /** Gives up what is not taken. */
    drop: (): void => {
      if (buffer) giveBackBuffer(buffer)
      buffer = undefined
    },
  }
}

/**
 * Writes content to a new file, and closes it. Parts are gathered to a buffer's length before they are written, while
 * the next ones come: two buffers of each content are in memory at most, and are used again for others.
 *
 * @param file opened by the caller.
 * @returns bytes written.
 * @throws tooLarge, the signal's reason, or what the content or the file fails with.
 */
export const writeContent = async (
  content: BlobContent,
  file: FileHandle,
  { signal, maxLength = Number.POSITIVE_INFINITY, receive, digest }: Following,
): Promise<number> => {
  const source = asReadable(content)
  // Destroys a stalled source, which nothing else would wake.
  if (signal) addAbortSignal(signal, source)
  const gathering = createGathering(file, digest)
  let length = 0
  let writing: Promise<void> | undefined
  let failure: unknown

  const stop = (error: unknown): void => {
    failure ??= error
    source.destroy(error as Error)
  }
  const gather = (part?: Uint8Array): void => {
    for (let isFull = gathering.add(part); isFull; isFull = gathering.add()) {
      if (writing) return void source.pause()
      writing = gathering.take().then(() => {
        writing = undefined
        gather()
        if (!writing || !gathering.isFull()) source.resume()
      }, stop)
    }
  }

  source.on('data', (part: Uint8Array) => {
    // What was buffered may come out of a destroyed source as well.
    if (failure !== undefined) return
    length += part.byteLength
    try {
      if (length > maxLength) throw fail('tooLarge', `The content is larger than ${maxLength} bytes`)
      receive?.(part.byteLength)
    } catch (error) {
      return stop(error)
    }
    gather(part)
    passBuffers(part.byteLength)
  })
  try {
    await new Promise<void>((resolve, reject) => {
      finished(source, { writable: false }, (error) => (error ? reject(error) : resolve()))
    })
    // The end may come while parts of it wait for a buffer.
    while (writing && failure === undefined) await writing
    if (failure === undefined) await gathering.take(true)
  } finally {
    await writing
    gathering.drop()
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
  const hashes = createContentHashes()
  try {
    const length = await writeContent(content, await open(path, 'wx'), {
      receive: (bytes) => {
        report?.(bytes)
        accounting?.receive(bytes)
      },
      digest: hashes.update,
      ...(signal && { signal }),
      ...(maxLength !== undefined && { maxLength }),
    })
    const { sha256, md5 } = hashes.digests()
    return { key: sha256, digest: md5, digestAlgorithm: 'MD5', length }
  } finally {
    hashes.close()
  }
}

const asReadable = (content: BlobContent): Readable => {
  if (content instanceof Readable) return content
  // A lone Uint8Array is iterable byte by byte; wrapped, it passes as one chunk.
  return Readable.from(content instanceof Uint8Array ? [content] : content)
}

/** Lower-case hex SHA-256 of a file's bytes. */
export const keyOfFile = async (path: string): Promise<string> => {
  const hash = createHash('sha256')
  for await (const part of fileContent(path)) hash.update(part)
  return hash.digest('hex')
}
