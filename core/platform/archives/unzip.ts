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

/** Bytes of names, extra fields and comments of all entries, which are kept as long as the archive is open. */
const MAX_LISTED = 32 * 1024 ** 2

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

const openZip = async (archive: string | Buffer): Promise<ZipFile> => {
  if (typeof archive !== 'string') return fromBufferPromise(archive)
  if ((await stat(archive)).size <= SMALL_ARCHIVE) return fromBufferPromise(await readFile(archive))
  return openPromise(archive, { autoClose: false })
}

/**
 * Lends the entries of a zip archive, in its order; each may be opened until `use` settles. Fails with an Error
 * for what is no archive, or has more than `most` entries, or long ones.
 *
 * @param archive a path, or the bytes of one.
 */
export const withZip = async <Result>(
  archive: string | Buffer,
  most: number,
  use: (entries: readonly ZippedEntry[]) => Promise<Result>,
): Promise<Result> => {
  const zip = await openZip(archive)
  try {
    if (zip.entryCount > most)
      throw new Error(`The archive has ${zip.entryCount} entries, of ${most} at most`)
    const entries: ZippedEntry[] = []
    let listed = 0
    for await (const entry of zip.eachEntry()) {
      listed += entry.fileNameLength + entry.extraFieldLength + entry.fileCommentLength
      if (listed > MAX_LISTED)
        throw new Error(`The archive lists more than ${MAX_LISTED} bytes of names, extra fields and comments`)
      entries.push({
        name: entry.fileName,
        length: entry.uncompressedSize,
        packedLength: entry.compressedSize,
        open: () => zip.openReadStreamPromise(entry),
        readSmall: (bytes) => readSmall(zip, entry, bytes),
      })
    }
    return await use(entries)
  } finally {
    zip.close()
  }
}
