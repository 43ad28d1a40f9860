import { fromBufferPromise, openPromise, type ZipFile } from 'yauzl'
import type { ZipEntry } from './zip.js'

/** @property packedLength bytes that it takes in the archive. */
export type ZippedEntry = ZipEntry & { packedLength: number }

/**
 * Lends the entries of a zip archive, in its order; each may be opened until `use` settles. Fails with an Error
 * for what is no archive, or has more than `most` entries.
 *
 * @param archive a path, or the bytes of one.
 */
export const withZip = async <Result>(
  archive: string | Buffer,
  most: number,
  use: (entries: readonly ZippedEntry[]) => Promise<Result>,
): Promise<Result> => {
  const zip: ZipFile =
    typeof archive === 'string'
      ? await openPromise(archive, { autoClose: false })
      : await fromBufferPromise(archive)
  try {
    if (zip.entryCount > most)
      throw new Error(`The archive has ${zip.entryCount} entries, of ${most} at most`)
    const entries: ZippedEntry[] = []
    for await (const entry of zip.eachEntry())
      entries.push({
        name: entry.fileName,
        length: entry.uncompressedSize,
        packedLength: entry.compressedSize,
        open: () => zip.openReadStreamPromise(entry),
      })
    return await use(entries)
  } finally {
    zip.close()
  }
}
