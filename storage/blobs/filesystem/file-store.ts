import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open as openFile, rename, rm, stat as statFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  type BlobContent,
  type BlobStore,
  type ByteRange,
  READ_BUFFER_BYTES,
  type StoredBlob,
  type WriteOptions,
} from '../../../core/files/blobs/index.js'
import { type DigestAlgorithm, digestAlgorithmOf, hashName } from '../../../core/model/properties/index.js'
import { fail } from '../../../core/platform/errors/index.js'

export type FileBlobStoreOptions = {
  /** Created on demand; `tmp/` and `data/` below it must share one file system. */
  folder: string
  /** Of new blobs; those written under another algorithm stay readable. Default MD5, as clients expect. */
  digestAlgorithm?: DigestAlgorithm
}

/**
 * Blobs as files `data/ab/cd/abcd…`, written to `tmp/` and renamed (blobs-conversions.md §6). Any number of
 * processes may share the folder.
 */
export const createFileBlobStore = (options: FileBlobStoreOptions): BlobStore => {
  // Tools that are lent a file run in folders of their own.
  const folder = resolve(options.folder)
  const { digestAlgorithm = 'MD5' } = options

  const find = async (digest: string): Promise<{ path: string; blob: StoredBlob } | null> => {
    const algorithm = digestAlgorithmOf(digest)
    if (!algorithm) return null
    const path = pathOf(folder, digest)
    const length = await lengthOf(path)
    return length === null ? null : { path, blob: { digest, digestAlgorithm: algorithm, length } }
  }

  const get = async (digest: string) => {
    const found = await find(digest)
    if (!found) throw fail('notFound', `Blob ${JSON.stringify(digest)} not found`)
    return found
  }

  return {
    async check() {
      const probe = join(folder, 'tmp', `probe-${randomUUID()}`)
      await mkdir(dirname(probe), { recursive: true })
      await (await openFile(probe, 'wx')).close()
      await rm(probe)
    },
    async write(content, options = {}) {
      const temporary = join(folder, 'tmp', randomUUID())
      await mkdir(dirname(temporary), { recursive: true })
      try {
        const written = await writeHashed({ content, path: temporary, digestAlgorithm, options })
        await moveInto(temporary, pathOf(folder, written.digest))
        return written
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      }
    },
    async open(digest, range) {
      const { path, blob } = await get(digest)
      if (range) checkRange(range, blob.length)
      // An open handle keeps the bytes readable even when the blob is collected meanwhile.
      const handle = await openFile(path, 'r')
      return handle.createReadStream({ ...range, highWaterMark: READ_BUFFER_BYTES })
    },
    stat: async (digest) => (await find(digest))?.blob ?? null,
    has: async (digest) => (await find(digest)) !== null,
    withFile: async (digest, use) => use((await get(digest)).path),
    async delete(digest) {
      const found = await find(digest)
      if (!found) return false
      await rm(found.path, { force: true })
      return true
    },
  }
}

const pathOf = (folder: string, digest: string): string =>
  join(folder, 'data', digest.slice(0, 2), digest.slice(2, 4), digest)

const lengthOf = async (path: string): Promise<number | null> => {
  try {
    const found = await statFile(path)
    return found.isFile() ? found.size : null
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')

const checkRange = ({ start, end }: ByteRange, length: number): void => {
  if (start < 0 || start > end || end >= length)
    throw fail('badRequest', `range: bytes ${start}-${end} are not inside a blob of ${length} bytes`)
}

type HashedWrite = {
  content: BlobContent
  path: string
  digestAlgorithm: DigestAlgorithm
  options: WriteOptions
}

const writeHashed = async ({ content, path, digestAlgorithm, options }: HashedWrite): Promise<StoredBlob> => {
  const hash = createHash(hashName(digestAlgorithm))
  const { signal, maxLength = Number.POSITIVE_INFINITY } = options
  let length = 0
  const measure = new Transform({
    highWaterMark: READ_BUFFER_BYTES,
    transform(chunk: Uint8Array, _encoding, done) {
      length += chunk.byteLength
      if (length > maxLength) return done(fail('tooLarge', `The content is larger than ${maxLength} bytes`))
      hash.update(chunk)
      done(null, chunk)
    },
  })
  // Streams from end to end: an abort destroys a stalled source, which a generator in between would wait for.
  await pipeline(
    asReadable(content),
    measure,
    createWriteStream(path, { flags: 'wx', highWaterMark: READ_BUFFER_BYTES }),
    { signal },
  )
  return { digest: hash.digest('hex'), digestAlgorithm, length }
}

const asReadable = (content: BlobContent): Readable => {
  if (content instanceof Readable) return content
  // A lone Uint8Array is iterable byte by byte; wrapped, it passes as one chunk.
  return Readable.from(content instanceof Uint8Array ? [content] : content)
}

/**
 * Renaming over a blob that is already there is atomic and harmless (same bytes), and renews its date, so that a
 * running collection sees it as new. No fsync: after a power loss (not after a crash of the process) the last
 * seconds of blobs may be lost, as with any file server in its default settings; a file system mounted `sync`
 * gives the stronger promise to who needs it.
 */
const moveInto = async (from: string, to: string): Promise<void> => {
  try {
    await rename(from, to)
  } catch (error) {
    if (!isMissing(error)) throw error
    await mkdir(dirname(to), { recursive: true })
    await rename(from, to)
  }
}
