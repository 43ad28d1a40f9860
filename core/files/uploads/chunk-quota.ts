import { LRUCache } from 'lru-cache'
import type { AccountedBlobStore, BlobContent, BlobOwner } from '../blobs/index.js'
import type { TransientFileStore } from '../transient/index.js'
import { ownerOf } from './entries.js'

/** How old what is known of a store or a user may be, in milliseconds: a look at a store reads all of its entries. */
const LOOK_MS = 5_000

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
  const looks = new LRUCache<TransientFileStore, Held>({ max: 100, ttl: LOOK_MS, fetchMethod: heldIn })
  const rooms = new LRUCache<string, Awaited<ReturnType<typeof roomOf>>, BlobOwner>({
    max: MAX_OWNERS,
    ttl: LOOK_MS,
    fetchMethod: (_name, _stale, { context }) => roomOf(context),
  })

  return {
    /**
     * Keeps bytes that come, as long as their user may have them.
     *
     * @throws insufficientStorage
     */
    during: async (
      { store, owner, content }: { store: TransientFileStore; owner: BlobOwner; content: BlobContent },
      keep: (counted: AsyncIterable<Uint8Array>) => Promise<unknown>,
    ): Promise<void> => {
      const { name } = owner
      const held = await looks.forceFetch(store)
      const requireRoom = await rooms.forceFetch(name, { context: owner })
      let received = 0
      const counted = async function* () {
        for await (const part of content instanceof Uint8Array ? [content] : content) {
          received += part.byteLength
          add(coming, name, part.byteLength)
          requireRoom({
            own: (held.byOwner.get(name) ?? 0) + (coming.byOwner.get(name) ?? 0),
            total: held.total + coming.total,
          })
          yield part
        }
      }
      try {
        await keep(counted())
        add(held, name, received)
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
