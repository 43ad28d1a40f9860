import { randomUUID } from 'node:crypto'
import { mkdir, open as openFile, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { BlobRef, BlobStat, BlobStore, ByteRange, StoredBlob } from '../../../core/files/blobs/index.js'
import { blobKey, digestAlgorithmOf } from '../../../core/model/properties/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import { filesBelow, isMissing, lengthOf, pathOf, removeIdle } from './folder.js'
import { openRange } from './open-range.js'
import { keyOfFile, writeHashed } from './write-hashed.js'

export type FileBlobStoreOptions = {
  /** Created on demand; `tmp/` and `data/` below it must share one file system. */
  folder: string
}

/**
 * Blobs as files `data/ab/cd/abcd…`, written to `tmp/` and renamed (blobs-conversions.md §6). Any number of
 * processes may share the folder.
 */
export const createFileBlobStore = (options: FileBlobStoreOptions): BlobStore => {
  // Tools that are lent a file run in folders of their own.
  const folder = resolve(options.folder)

  const find = async (key: string): Promise<{ path: string; blob: BlobStat } | null> => {
    if (!digestAlgorithmOf(key)) return null
    const path = pathOf(folder, key)
    const length = await lengthOf(path)
    return length === null ? null : { path, blob: { key, length } }
  }

  const get = async (ref: BlobRef) => {
    const found = await find(blobKey(ref))
    if (!found) throw fail('notFound', `Blob ${JSON.stringify(ref.digest)} not found`)
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
        const written = await writeHashed(content, temporary, options)
        await options.accounting?.confirm(written)
        await keep(temporary, pathOf(folder, written.key), written)
        return written
      } finally {
        await rm(temporary, { force: true })
      }
    },
    async open(ref, range) {
      const { path, blob } = await get(ref)
      if (range) checkRange(range, blob.length)
      // An open handle keeps the bytes readable even when the blob is collected meanwhile.
      return openRange(path, range ?? { start: 0, end: blob.length - 1 })
    },
    stat: async (ref) => (await find(blobKey(ref)))?.blob ?? null,
    has: async (ref) => (await find(blobKey(ref))) !== null,
    withFile: async (ref, use) => use((await get(ref)).path),
    async delete(key) {
      const found = await find(key)
      if (!found) return false
      await rm(found.path, { force: true })
      return true
    },
    async *list() {
      for await (const name of filesBelow(join(folder, 'data'))) {
        const found = await find(name)
        if (found) yield found.blob
      }
    },
    removeUnfinished: (idleMs) => removeIdle(join(folder, 'tmp'), idleMs),
  }
}

const checkRange = ({ start, end }: ByteRange, length: number): void => {
  if (start < 0 || start > end || end >= length)
    throw fail('badRequest', `range: bytes ${start}-${end} are not inside a blob of ${length} bytes`)
}

/**
 * Makes written bytes the blob of their key. One that is there stays, once its bytes are found to be those of its key;
 * other bytes are damage (a disk, a power loss), which the whole ones repair. No fsync: after a power loss (not after a
 * crash of the process) the last seconds of blobs may be lost, as with any file server in its default settings; a file
 * system mounted `sync` gives the stronger promise to who needs it.
 */
const keep = async (written: string, path: string, { key, length }: StoredBlob): Promise<void> => {
  if ((await lengthOf(written)) !== length)
    throw fail('unavailable', 'The store of files did not keep all bytes that were written')
  if ((await lengthOf(path)) === length && (await keyOfFile(path)) === key) return
  try {
    await rename(written, path)
  } catch (error) {
    if (!isMissing(error)) throw error
    await mkdir(dirname(path), { recursive: true })
    await rename(written, path)
  }
}
