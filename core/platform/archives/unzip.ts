import { openPromise } from 'yauzl'
import type { ZipEntry } from './zip.js'

/**
 * Lends the entries of a zip archive, in its order; each may be opened until `use` settles. Fails with an Error
 * for what is no archive, or has more than `most` entries.
 */
export const withZip = async <Result>(
  path: string,
  most: number,
  use: (entries: readonly ZipEntry[]) => Promise<Result>,
): Promise<Result> => {
  const zip = await openPromise(path, { autoClose: false })
  try {
    if (zip.entryCount > most)
      throw new Error(`The archive has ${zip.entryCount} entries, of ${most} at most`)
    const entries: ZipEntry[] = []
    for await (const entry of zip.eachEntry())
      entries.push({
        name: entry.fileName,
        length: entry.uncompressedSize,
        open: () => zip.openReadStreamPromise(entry),
      })
    return await use(entries)
  } finally {
    zip.close()
  }
}
