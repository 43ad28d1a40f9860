import { fail, isArchivoltError } from '../../platform/errors/index.js'
import type { BlobStore, StoredBlob } from '../blobs/index.js'
import type { BatchEntry } from './entries.js'
import { chunkSlot, fileSlot } from './parts.js'
import type { FilePlace } from './types.js'

type Complete = Pick<FilePlace, 'owner' | 'index'> & { count: number }

/**
 * Stores the files that complete chunks make, hashed while they are read, and removes the chunks: once in this process.
 * Another process may do so at the same moment, with the same bytes.
 */
export const createJoining = ({
  blobs,
  maxBytes,
}: {
  blobs: Pick<BlobStore, 'write'>
  maxBytes: number
}): ((entry: BatchEntry, file: Complete) => Promise<StoredBlob>) => {
  const underWay = new Map<string, Promise<StoredBlob>>()

  const join = async ({ store, key }: BatchEntry, { owner, index, count }: Complete): Promise<StoredBlob> => {
    const slots = Array.from({ length: count }, (_, chunk) => chunkSlot(index, chunk))
    async function* content() {
      for (const slot of slots) yield* await store.open(key, slot)
    }
    try {
      const stored = await blobs.write(content(), { owner, maxLength: maxBytes })
      await store.putBlob(key, fileSlot(index), stored)
    } catch (error) {
      if (!isArchivoltError(error) || error.code !== 'notFound') throw error
    }
    const joined = await store.blob(key, fileSlot(index))
    if (!joined?.stored) throw fail('notFound', `File ${index} was removed from its batch meanwhile`)
    await store.removeParts(key, slots)
    return joined.stored
  }

  return (entry, file) => {
    const place = `${entry.key}/${file.index}`
    const known = underWay.get(place)
    if (known) return known
    const joining = join(entry, file).finally(() => underWay.delete(place))
    underWay.set(place, joining)
    return joining
  }
}
