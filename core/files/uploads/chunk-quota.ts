import { LRUCache } from 'lru-cache'
import type { AccountedBlobStore, BlobOwner } from '../blobs/index.js'
import type { TransientFileStore } from '../transient/index.js'
import { ownerOf } from './entries.js'
import { createStoreLooks, LOOK_MS } from './store-looks.js'

const MAX_OWNERS = 10_000

/** Bytes that a store keeps itself, by the user whose batch they are in. */
type Held = { byOwner: Map<string, number>; total: number }

const add = (held: Held, owner: string, bytes: number): void => {
  held.total += bytes
  held.byOwner.set(owner, (held.byOwner.get(owner) ?? 0) + bytes)
}

const heldIn = async (store: TransientFileStore): Promise<Held> => {
  const held: Held = { byOwner: new Map(), total: 0 }
  for await (const { key, keptBytes } of store.list()) add(held, ownerOf(key) ?? '', keptBytes)
  return held
}

/**
 * Chunks count as files of their users until they are joined, wherever a store keeps them. Those that come count at
 * once, others of this process and of other ones within seconds.
 */
export const createChunkQuota = ({ roomOf }: Pick<AccountedBlobStore, 'roomOf'>) => {
  const coming: Held = { byOwner: new Map(), total: 0 }
  const looks = createStoreLooks(heldIn)
  const rooms = new LRUCache<string, Awaited<ReturnType<typeof roomOf>>, BlobOwner>({
    max: MAX_OWNERS,
    ttl: LOOK_MS,
    fetchMethod: (_name, _stale, { context }) => roomOf(context),
  })

  return {
    /**
     * Keeps bytes that come, as long as their user may have them.
     *
     * @param keep calls `receive` with the bytes of each part.
     * @throws insufficientStorage
     */
    during: async <Result>(
      { store, owner }: { store: TransientFileStore; owner: BlobOwner },
      keep: (receive: (bytes: number) => void) => Promise<Result>,
    ): Promise<Result> => {
      const { name } = owner
      const held = await looks.forceFetch(store)
      const requireRoom = await rooms.forceFetch(name, { context: owner })
      let received = 0
      const receive = (bytes: number): void => {
        received += bytes
        add(coming, name, bytes)
        requireRoom({
          own: (held.byOwner.get(name) ?? 0) + (coming.byOwner.get(name) ?? 0),
          total: held.total + coming.total,
        })
      }
      try {
        const result = await keep(receive)
        add(held, name, received)
        return result
      } finally {
        add(coming, name, -received)
        if (coming.byOwner.get(name) === 0) coming.byOwner.delete(name)
      }
    },

    /** What a store keeps has become less. */
    forget: (store: TransientFileStore): void => {
      looks.delete(store)
    },
  }
}

export type ChunkQuota = ReturnType<typeof createChunkQuota>
