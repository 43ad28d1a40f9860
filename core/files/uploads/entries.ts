import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { fail } from '../../platform/errors/index.js'
import type { BlobOwner } from '../blobs/index.js'
import type { TransientFileStore } from '../transient/index.js'

/** Where batches are kept now: what is deployed decides. */
export type BatchStores = {
  /** The default one first. */
  handlers(): readonly string[]
  storeOf(handler: string): TransientFileStore | undefined
}

/** The entry of a batch. */
export type BatchEntry = { store: TransientFileStore; key: string; handler: string }

const HANDLER = 'handler'

/** A batch is its user's: nobody else has a key for it, whatever id they know. */
const keyOf = ({ name }: BlobOwner, batch: string): string => JSON.stringify([name, batch])

/** The name of the user whose batch an entry is; undefined for what is no batch. */
export const ownerOf = (key: string): string | undefined =>
  /^\["/.test(key) ? JSON.parse(key)[0] : undefined

const MAX_REMEMBERED = 10_000

/**
 * Creates and finds the entries of batches in the stores of their handlers.
 *
 * @param take is called before a new one is created.
 */
export const createBatchEntries = (
  { handlers, storeOf }: BatchStores,
  take: (store: TransientFileStore, owner: BlobOwner) => Promise<void>,
) => {
  const handlerOf = new LRUCache<string, string>({ max: MAX_REMEMBERED })

  return {
    /** @throws badRequest for an unknown handler, and what `take` throws. */
    create: async (
      owner: BlobOwner,
      { handler = handlers()[0] ?? '', id }: { handler?: string; id?: string },
    ): Promise<BatchEntry & { id: string }> => {
      const store = storeOf(handler)
      if (!store)
        throw fail('badRequest', `handler: '${handler}' is unknown; there are ${handlers().join(', ')}`)
      const own = id ?? `batchId-${randomUUID()}`
      const key = keyOf(owner, own)
      // Clients that make up ids create a batch with each of its files.
      const isKnown = id !== undefined && (await store.exists(key))
      if (!isKnown) await take(store, owner)
      await store.addParameter(key, HANDLER, handler)
      return { store, key, handler, id: own }
    },

    find: async (owner: BlobOwner, id: string): Promise<BatchEntry | undefined> => {
      const key = keyOf(owner, id)
      for (const each of handlers()) {
        const store = storeOf(each)
        const handler = await store?.parameter(key, HANDLER)
        if (!store || typeof handler !== 'string') continue
        handlerOf.set(key, handler)
        return { store, key, handler }
      }
      handlerOf.delete(key)
      return undefined
    },

    /** The entry of a batch that was found before, and may be gone: for whoever reads something of it. */
    remembered: (owner: BlobOwner, id: string): BatchEntry | undefined => {
      const key = keyOf(owner, id)
      const handler = handlerOf.get(key)
      const store = handler === undefined ? undefined : storeOf(handler)
      return handler !== undefined && store ? { store, key, handler } : undefined
    },
  }
}
