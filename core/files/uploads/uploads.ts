import type { BlobValue } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import { type AccountedBlobStore, createBlobValue } from '../blobs/index.js'
import { createArrivals } from './arrivals.js'
import { createBatchQuota } from './batch-quota.js'
import { createChunkQuota } from './chunk-quota.js'
import { type BatchEntry, type BatchStores, createBatchEntries } from './entries.js'
import { createJoining } from './join-chunks.js'
import { bytesIn, keepChunk } from './keep-chunk.js'
import {
  allChunks,
  chunkSlot,
  chunksOf,
  type FileRecord,
  fileOf,
  fileSlot,
  indexesIn,
  recordOf,
  sharedSlot,
} from './parts.js'
import { progressOf } from './progress.js'
import { createTakenChunks } from './taken-chunks.js'
import type { BatchPlace, FilePlace, NewChunk, UploadedFile, Uploads } from './types.js'

/** How long whoever uses a batch waits for uploads that are under way. */
const WAIT_MS = 5_000

/**
 * @param options.blobs what is complete is stored in, accounted to its user.
 * @param options.maxBytes of a file.
 * @param options.maxOpen batches of a user.
 */
export const createUploads = ({
  stores,
  blobs,
  maxBytes,
  maxOpen,
}: {
  stores: BatchStores
  blobs: Pick<AccountedBlobStore, 'write' | 'roomOf'>
  maxBytes: number
  maxOpen: number
}): Uploads => {
  const entries = createBatchEntries(stores, (store, owner) => batches.take(store, owner))
  const arrivals = createArrivals()
  const quota = createChunkQuota(blobs)
  const batches = createBatchQuota({ most: maxOpen })
  const join = createJoining({ blobs, maxBytes })
  const taken = createTakenChunks()

  const found = async <Result>(
    { owner, batch }: BatchPlace,
    use: (entry: BatchEntry) => Promise<Result>,
  ): Promise<Result | undefined> => {
    const entry = await entries.find(owner, batch)
    return entry && use(entry)
  }

  const recordIn = async ({ store, key }: BatchEntry, index: string): Promise<FileRecord | undefined> =>
    recordOf(await store.parameter(key, fileSlot(index)))

  const fileIn = async (entry: BatchEntry, index: string): Promise<UploadedFile | undefined> => {
    const record = await recordIn(entry, index)
    return record && fileOf(entry, { index, record, blobs: await entry.store.blobNames(entry.key) })
  }

  const filesIn = async ({ store, key }: BatchEntry): Promise<UploadedFile[]> => {
    const parameters = (await store.parameters(key)) ?? new Map()
    const blobs = await store.blobNames(key)
    return Promise.all(
      indexesIn(parameters).map((index) =>
        fileOf({ store, key }, { index, record: recordOf(parameters.get(fileSlot(index)))!, blobs }),
      ),
    )
  }

  const storedIn = async (
    entry: BatchEntry,
    { owner, index }: Pick<FilePlace, 'owner' | 'index'>,
  ): Promise<BlobValue | undefined> => {
    const { store, key } = entry
    const record = await recordIn(entry, index)
    const blob = record && (await store.blob(key, fileSlot(index)))
    if (record && blob?.stored) return createBlobValue({ ...record, stored: blob.stored })
    const chunks = record?.count === undefined ? [] : chunksOf(index, await store.blobNames(key))
    // Whoever received the last chunk may have died before it had joined them.
    if (!record?.count || chunks.length < record.count) return undefined
    const stored = await join(entry, { owner, index, count: record.count })
    quota.forget(store)
    return createBlobValue({ ...record, stored })
  }

  const keptChunk = async (
    entry: BatchEntry,
    place: FilePlace,
    chunk: NewChunk & { record: FileRecord | undefined },
  ): Promise<UploadedFile | undefined> => {
    const { owner, index } = place
    const { name, mimeType, size, count } = chunk
    if (size > maxBytes) throw fail('tooLarge', `A file of ${size} bytes is larger than ${maxBytes}`)
    const record =
      chunk.record ??
      (await recordIn(entry, index)) ??
      recordOf(
        await entry.store.addParameter(entry.key, fileSlot(index), {
          ...{ name, mimeType, size, count, id: taken.begin() },
        }),
      )
    if (record?.count === undefined)
      throw fail('conflict', `File ${index} of the batch was uploaded without chunks`)
    if (chunk.chunk >= record.count)
      throw fail('badRequest', `Chunk ${chunk.chunk}: the file has ${record.count} chunks, from 0`)
    const file = { index, name: record.name, size: record.size ?? 0 }
    const whole = (): UploadedFile => ({
      ...{ ...file, isComplete: true },
      chunks: { count: record.count!, uploaded: allChunks(record.count!) },
    })
    const isAlone = await taken.announce(entry, { index, record })
    // Chunks are removed once they are joined: one that comes again then is not kept.
    const mayBeJoined = !isAlone || taken.has(record, chunk.chunk)
    if (mayBeJoined && (await entry.store.blob(entry.key, fileSlot(index)))) {
      await bytesIn(chunk.content)
      return whole()
    }
    await arrivals.during(entry, index, (receive) =>
      keepChunk(entry, place, { ...chunk, maxBytes, quota, receive }),
    )
    const uploaded = await taken.add(entry, { index, record, chunk: chunk.chunk })
    if (uploaded.length < record.count)
      return { ...file, chunks: { count: record.count, uploaded }, isComplete: false }
    await storedIn(entry, { owner, index })
    return fileIn(entry, index)
  }

  return {
    handlers: stores.handlers,

    create: async (owner, batch = {}) => (await entries.create(owner, batch)).id,

    exists: async ({ owner, batch }) => (await entries.find(owner, batch)) !== undefined,

    batch: (place) =>
      found(place, async (entry) => ({
        ...{ id: place.batch, handler: entry.handler },
        files: await filesIn(entry),
      })),

    file: (place) => found(place, (entry) => fileIn(entry, place.index)),

    progress: (place) =>
      found(place, async (entry) => {
        const receiving = (index: string) => arrivals.bytesOf(entry.key, index)
        return Promise.all((await filesIn(entry)).map((file) => progressOf(entry, file, receiving)))
      }),

    addFile: (place, { name, mimeType, content, signal }) =>
      found(place, async (entry) => {
        const { store, key } = entry
        const { owner, index } = place
        const stored = await arrivals.during(entry, index, (receive) =>
          blobs.write(content, { owner, receive, maxLength: maxBytes, ...(signal && { signal }) }),
        )
        const earlier = chunksOf(index, await store.blobNames(key)).map((chunk) => chunkSlot(index, chunk))
        await store.removeParts(key, [...earlier, sharedSlot(index)])
        await store.putParameters(key, { [fileSlot(index)]: { name, mimeType } })
        await store.putBlob(key, fileSlot(index), stored, { replaces: true })
        return fileIn(entry, index)
      }),

    addChunk: async (place, chunk) => {
      const { owner, index } = place
      // A file that has a record is in a batch: what was found of that before need not be asked again.
      const known = entries.remembered(owner, place.batch)
      const earlier = known && (await recordIn(known, index))
      const entry = earlier ? known : await entries.find(owner, place.batch)
      return entry && keptChunk(entry, place, { ...chunk, record: earlier })
    },

    removeFile: async (place) =>
      (await found(place, async (entry) => {
        const { index } = place
        if (!(await recordIn(entry, index))) return false
        const chunks = chunksOf(index, await entry.store.blobNames(entry.key))
        const slots = chunks.map((chunk) => chunkSlot(index, chunk))
        await entry.store.removeParts(entry.key, [fileSlot(index), sharedSlot(index), ...slots])
        quota.forget(entry.store)
        return true
      })) ?? false,

    remove: async (place, { releases = false } = {}) =>
      (await found(place, async ({ store, key }) => {
        if (releases) await store.release(key)
        const isGone = releases || (await store.remove(key))
        if (isGone) batches.give(store, place.owner)
        quota.forget(store)
        return isGone
      })) ?? false,

    blob: (place) =>
      found(place, async (entry) => {
        await arrivals.settled(entry.key, WAIT_MS)
        return storedIn(entry, place)
      }),

    blobs: (place) =>
      found(place, async (entry) => {
        await arrivals.settled(entry.key, WAIT_MS)
        const complete: BlobValue[] = []
        for (const index of indexesIn((await entry.store.parameters(entry.key)) ?? new Map())) {
          const blob = await storedIn(entry, { owner: place.owner, index })
          if (blob) complete.push(blob)
        }
        return complete
      }),
  }
}
