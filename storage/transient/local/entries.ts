import { mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import type { TransientStoreConfig } from '../../../core/files/transient/index.js'
import { ageOf, namesIn, orMissing, removeFile } from './files.js'
import { type Place, placeIn, placeOf } from './place.js'

/** At most, milliseconds; a hundredth of a life where that is less. */
const REMEMBERED_MS = 1_000

const MAX_REMEMBERED = 1_000

/** Entries as folders, and when their lives end. */
export const createEntries = (
  folder: string,
  { firstLifeMs, secondLifeMs }: Pick<TransientStoreConfig, 'firstLifeMs' | 'secondLifeMs'>,
) => {
  const isAlive = async ({ touched, released }: Place): Promise<boolean> => {
    const idle = await ageOf(touched)
    if (idle === undefined || idle > firstLifeMs) return false
    const sinceRelease = await ageOf(released)
    return sinceRelease === undefined || sinceRelease <= secondLifeMs
  }

  const all = async (): Promise<Place[]> => (await namesIn(folder)).map((name) => placeIn(join(folder, name)))

  /** Entries whose lives this process has just begun, by their keys: nothing is asked of the disk for a moment. */
  const rememberedMs = Math.min(REMEMBERED_MS, Math.floor(Math.min(firstLifeMs, secondLifeMs) / 100))
  const begun = new LRUCache<string, Place>({ max: MAX_REMEMBERED, ttl: Math.max(1, rememberedMs) })

  const find = async (key: string): Promise<Place | undefined> => {
    const place = placeOf(folder, key)
    return (await isAlive(place)) ? place : undefined
  }

  const begin = async (key: string): Promise<Place> => {
    const place = placeOf(folder, key)
    if (await isAlive(place)) {
      const now = new Date()
      await orMissing(utimes(place.touched, now, now))
      await removeFile(place.released)
      return place
    }
    // One that is not there at all may be created by another process at this moment.
    if ((await ageOf(place.touched)) !== undefined) await rm(place.folder, { recursive: true, force: true })
    await mkdir(place.folder, { recursive: true })
    await writeFile(place.touched, '')
    for (const part of [place.parameters, place.bytes, place.stored, place.temporary])
      await mkdir(part, { recursive: true })
    await writeFile(place.key, key)
    return place
  }

  const touch = async (key: string): Promise<Place> => {
    const known = begun.get(key)
    if (known) return known
    const place = await begin(key)
    if (rememberedMs > 0) begun.set(key, place)
    return place
  }

  return {
    isAlive,
    all,

    /** Undefined when there is none, or its life has ended. */
    find,

    /** The same, where it does no harm that another process may have removed its folder a moment ago. */
    remembered: async (key: string): Promise<Place | undefined> => begun.get(key) ?? find(key),

    /** The entry at the beginning of a life, created if need be. */
    touch,

    /** Writes to an entry at the beginning of a life. @param write once more when its folder has been removed meanwhile. */
    touching: async <Result>(key: string, write: (place: Place) => Promise<Result>): Promise<Result> => {
      const known = begun.get(key)
      const written = known && (await orMissing(write(known).then((result) => ({ result }))))
      if (written) return written.result
      begun.delete(key)
      return write(await touch(key))
    },

    /** Its life is about to change. */
    forget: (key: string): void => void begun.delete(key),

    /** @returns how many entries were removed. */
    removeExpired: async (): Promise<number> => {
      let removed = 0
      for (const place of await all()) {
        const isNew = ((await ageOf(place.folder)) ?? 0) < firstLifeMs
        const isUnfinished = (await ageOf(place.touched)) === undefined && isNew
        if (isUnfinished || (await isAlive(place))) continue
        await rm(place.folder, { recursive: true, force: true })
        removed += 1
      }
      return removed
    },
  }
}
