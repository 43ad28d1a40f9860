import { readFile, stat } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { inflateRawSync } from 'node:zlib'
import { type Entry, fromBufferPromise, openPromise, type ZipFile } from 'yauzl'
import type { ZipEntry } from './zip.js'

/** @property packedLength bytes that it takes in the archive. */
export type ZippedEntry = ZipEntry & {
  packedLength: number
  /**
   * All of a small entry, without a stream, which takes longer than a few KiB. Undefined for one that has more than
   * `most` bytes, packed or not, and for one that is broken: opened, it says why.
   */
  readSmall(most: number): Promise<Buffer | undefined>
}

/** Archives that are read at once, in bytes: for each entry of a file the system would be asked several times. */
const SMALL_ARCHIVE = 4 * 1024 ** 2

/** Bytes of names, extra fields and comments of all entries. */
const MAX_LISTED = 32 * 1024 ** 2

/** What reading one extra field costs beside its bytes, of which there may be four: an object and a view of it. */
const FIELD_COST = 100

const STORED = 0
const DEFLATED = 8

const inflated = (packed: Buffer, most: number): Buffer | undefined => {
  try {
    return inflateRawSync(packed, { maxOutputLength: most })
  } catch {
    // It holds more than it says, or is no deflated data: whoever opens it learns which.
    return undefined
  }
}

const readSmall = async (zip: ZipFile, entry: Entry, most: number): Promise<Buffer | undefined> => {
  const { compressedSize, uncompressedSize, compressionMethod } = entry
  if (compressedSize > most || uncompressedSize > most || entry.isEncrypted()) return undefined
  if (compressionMethod !== STORED && compressionMethod !== DEFLATED) return undefined
  const isDeflated = compressionMethod === DEFLATED
  const packed = await buffer(await zip.openReadStreamPromise(entry, isDeflated ? { decompress: false } : {}))
  const content = isDeflated ? inflated(packed, most) : packed
  return content?.length === uncompressedSize ? content : undefined
}

const NOTHING = Buffer.alloc(0)

/** Of an entry what opening it needs: as long as the archive is open, all of them are kept. */
const slimmed = (entry: Entry): Entry =>
  Object.assign(entry, {
    ...{ fileNameRaw: NOTHING, extraFieldRaw: NOTHING, fileCommentRaw: NOTHING },
    ...{ extraFields: [], fileComment: '', comment: '' },
  })

const openZip = async (archive: string | Buffer): Promise<ZipFile> => {
  if (typeof archive !== 'string') return fromBufferPromise(archive)
  if ((await stat(archive)).size <= SMALL_ARCHIVE) return fromBufferPromise(await readFile(archive))
  return openPromise(archive, { autoClose: false })
}

/** The entries of an archive in its order, each as soon as it is read. */
async function* entriesOf(zip: ZipFile, most: number): AsyncGenerator<ZippedEntry> {
  if (zip.entryCount > most) throw new Error(`The archive has ${zip.entryCount} entries, of ${most} at most`)
  let listed = 0
  for await (const read of zip.eachEntry()) {
    listed += read.fileNameLength + read.extraFieldLength + read.fileCommentLength
    listed += read.extraFields.length * FIELD_COST
    if (listed > MAX_LISTED)
      throw new Error(`The archive lists more than ${MAX_LISTED} bytes of names, extra fields and comments`)
    const entry = slimmed(read)
    yield {
      name: entry.fileName,
      length: entry.uncompressedSize,
      packedLength: entry.compressedSize,
      open: () => zip.openReadStreamPromise(entry),
      readSmall: (bytes) => readSmall(zip, entry, bytes),
    }
  }
}

const withOpen = async <Result>(
  archive: string | Buffer,
  use: (zip: ZipFile) => Promise<Result>,
): Promise<Result> => {
  const zip = await openZip(archive)
  try {
    return await use(zip)
  } finally {
    zip.close()
  }
}

/**
 * Lends the entries of a zip archive, in its order; each may be opened until `use` settles. Fails with an Error
 * for what is no archive, or has more than `most` entries, or long ones.
 *
 * @param archive a path, or the bytes of one.
 */
export const withZip = <Result>(
  archive: string | Buffer,
  most: number,
  use: (entries: readonly ZippedEntry[]) => Promise<Result>,
): Promise<Result> =>
  withOpen(archive, async (zip) => {
    const entries: ZippedEntry[] = []
    for await (const entry of entriesOf(zip, most)) entries.push(entry)
    return use(entries)
  })

/** Shows the entries one after the other, and keeps none, until `visit` gives false. Fails as `withZip`. */
export const scanZip = (
  archive: string | Buffer,
  most: number,
  visit: (entry: ZippedEntry) => boolean,
): Promise<void> =>
  withOpen(archive, async (zip) => {
    for await (const entry of entriesOf(zip, most)) if (!visit(entry)) return
  })
