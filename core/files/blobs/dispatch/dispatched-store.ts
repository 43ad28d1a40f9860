import { fail } from '../../../platform/errors/index.js'
import type { BlobRef, BlobStore } from '../types.js'
import type { BlobStoreName } from './rules-point.js'

/** Stores that are one: what is written goes to the first, and is found in whichever has it. */
export type DispatchedStore = BlobStore & {
  /** Moves bytes into a store, unless they are there. */
  place(blob: BlobRef, store: BlobStoreName): Promise<void>
}

type Named = readonly [name: BlobStoreName, store: BlobStore]

/**
 * One store of several. Bytes have the same key in each, so that whoever knows it reads them wherever they are moved.
 *
 * @param stores the first takes what is written.
 */
export const createDispatchedStore = (stores: readonly [Named, ...Named[]]): DispatchedStore => {
  const [[, main]] = stores
  const all = stores.map(([, store]) => store)

  /** The store that has a blob; the first where none has, which then says so. */
  const holderOf = async (blob: BlobRef): Promise<BlobStore> => {
    for (const store of all) if (await store.has(blob)) return store
    return main
  }

  const sumOf = async (count: (store: BlobStore) => Promise<number>): Promise<number> => {
    let sum = 0
    for (const store of all) sum += await count(store)
    return sum
  }

  return {
    check: async () => {
      for (const store of all) await store.check()
    },
    write: main.write,
    open: async (blob, range) => (await holderOf(blob)).open(blob, range),
    addressOf: async (blob, headers) => (await holderOf(blob)).addressOf?.(blob, headers),
    stat: async (blob) => (await holderOf(blob)).stat(blob),
    has: async (blob) => (await holderOf(blob)).has(blob),
    withFile: async (blob, use) => (await holderOf(blob)).withFile(blob, use),
    delete: async (key) => (await sumOf(async (store) => Number(await store.delete(key)))) > 0,
    async *list() {
      for (const [at, store] of all.entries())
        for await (const blob of store.list()) {
          const ref = { key: blob.key, digest: blob.key }
          // One that is being moved may be in two of them.
          const isListed = await Promise.all(all.slice(0, at).map((earlier) => earlier.has(ref)))
          if (!isListed.includes(true)) yield blob
        }
    },
    removeUnfinished: (idleMs) => sumOf((store) => store.removeUnfinished(idleMs)),
    place: async (blob, name) => {
      const target = stores.find(([known]) => known === name)?.[1]
      if (!target) throw fail('unavailable', `The store of files "${name}" is not set up on this server`)
      const holder = await holderOf(blob)
      if (holder === target) return
      const { key } = await target.write(await holder.open(blob))
      for (const store of all) if (store !== target) await store.delete(key)
    },
  }
}
