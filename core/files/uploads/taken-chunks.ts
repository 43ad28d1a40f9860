import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { BatchEntry } from './entries.js'
import { chunksOf, type FileRecord, sharedSlot } from './parts.js'

/** Files whose chunks a process counts in memory. */
const MAX_FILES = 1_000

/**
 * Chunks that have come of each file. A process that takes all of them counts them in memory; listing what a store has
 * takes as long as there are chunks, for each chunk. Another process that takes one says so first, and lists after it:
 * of two that take a chunk at the same moment, the later one sees both.
 */
export const createTakenChunks = () => {
  const byRecord = new LRUCache<string, Set<number>>({ max: MAX_FILES })

  const listed = async ({ store, key }: BatchEntry, index: string): Promise<number[]> =>
    chunksOf(index, await store.blobNames(key))

  return {
    /** The name of a new record, whose file has no chunks yet. */
    begin: (): string => {
      const id = randomUUID()
      byRecord.set(id, new Set())
      return id
    },

    /** Called before a chunk is kept. @returns whether this process alone has taken all that have come so far. */
    announce: async (
      { store, key }: BatchEntry,
      { index, record }: { index: string; record: FileRecord },
    ): Promise<boolean> => {
      if (record.id !== undefined && byRecord.has(record.id)) return true
      await store.addParameter(key, sharedSlot(index), true)
      return false
    },

    has: ({ id = '' }: FileRecord, chunk: number): boolean => byRecord.get(id)?.has(chunk) ?? false,

    /** Called after a chunk has been kept. @returns all that have come, in their order. */
    add: async (
      entry: BatchEntry,
      { index, record, chunk }: { index: string; record: FileRecord; chunk: number },
    ): Promise<number[]> => {
      const taken = byRecord.get(record.id ?? '')
      taken?.add(chunk)
      if (!taken || (await entry.store.parameter(entry.key, sharedSlot(index))) !== undefined)
        return listed(entry, index)
      return [...taken].sort((a, b) => a - b)
    },
  }
}
