import { LRUCache } from 'lru-cache'
import type { Directory, DirectoryEntry, DirectoryStore } from '../types.js'

/** Longer than an announcement takes to come back after a commit. */
const PENDING_MS = 5_000

type Remembered = { entry: DirectoryEntry; count: number; freshUntil: number }

/** A process's cache of directory entries, and what it knows of their changes. */
export type DirectoryCache = {
  /** Another one after each change that was announced without the name of its directory. */
  readonly count: number
  /** A change of a directory was committed; of any directory when no name is passed. */
  announced(name?: string): void
  /** A store for reading outside transactions, which caches entries by their ids. */
  reading(store: DirectoryStore): DirectoryStore
  /** A transaction's store, without a cache; entries that it writes are not cached until the commit is announced. */
  writing(store: DirectoryStore): DirectoryStore
}

/**
 * Caches entries as long as their directory says (`cacheTimeout`), as many as it says (`cacheMaxSize`), and
 * not beyond a change of the directory, in any process. Missing entries are not cached.
 */
export const createDirectoryCache = (now: () => number = Date.now): DirectoryCache => {
  const counts = new Map<string, number>()
  const pendingUntil = new Map<string, number>()
  let everything = 0
  // By definition, so that a directory that is deployed again starts with an empty cache.
  const remembered = new WeakMap<Directory, LRUCache<string, Remembered>>()

  const countOf = (name: string): number => everything + (counts.get(name) ?? 0)
  const changed = (name: string): void => {
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const written = (name: string): void => {
    changed(name)
    pendingUntil.set(name, now() + PENDING_MS)
  }
  const entriesOf = (directory: Directory): LRUCache<string, Remembered> => {
    const known = remembered.get(directory)
    if (known) return known
    // Not `max`, for which memory is taken at once: a directory may allow any number.
    const entries = new LRUCache<string, Remembered>({
      maxSize: directory.cache.entries,
      sizeCalculation: () => 1,
    })
    remembered.set(directory, entries)
    return entries
  }

  const getMany = async (
    store: DirectoryStore,
    directory: Directory,
    ids: readonly string[],
  ): Promise<DirectoryEntry[]> => {
    const { name, cache } = directory
    const isOff = cache.seconds === 0 || cache.entries === 0 || (pendingUntil.get(name) ?? 0) > now()
    if (isOff) return store.getMany(directory, ids)
    const count = countOf(name)
    const known = entriesOf(directory)
    const fresh = new Map<string, DirectoryEntry>()
    for (const id of ids) {
      const one = known.get(id)
      if (one && one.count === count && one.freshUntil > now()) fresh.set(id, one.entry)
    }
    const missing = ids.filter((id) => !fresh.has(id))
    const found = missing.length > 0 ? await store.getMany(directory, missing) : []
    for (const entry of found) {
      fresh.set(entry.id, entry)
      known.set(entry.id, { entry, count, freshUntil: now() + cache.seconds * 1000 })
    }
    return ids.flatMap((id) => fresh.get(id) ?? [])
  }

  const cache: DirectoryCache = {
    get count() {
      return everything
    },
    announced: (name) => {
      if (name === undefined || name === '') everything++
      else changed(name)
    },
    reading: (store) => ({
      ...store,
      get: async (directory, id) => (await getMany(store, directory, [id]))[0],
      getMany: (directory, ids) => getMany(store, directory, ids),
    }),
    writing: (store) => ({
      ...store,
      atomically: (work) => store.atomically((inside) => work(cache.writing(inside))),
      insert: (directory, entries) => {
        written(directory.name)
        return store.insert(directory, entries)
      },
      update: (directory, id, properties) => {
        written(directory.name)
        return store.update(directory, id, properties)
      },
      remove: (directory, id) => {
        written(directory.name)
        return store.remove(directory, id)
      },
    }),
  }
  return cache
}
