import { mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TransientStoreConfig } from '../../../core/files/transient/index.js'
import { ageOf, namesIn, orMissing, removeFile } from './files.js'
import { type Place, placeIn, placeOf } from './place.js'

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

  return {
    isAlive,
    all,

    /** Undefined when there is none, or its life has ended. */
    find: async (key: string): Promise<Place | undefined> => {
      const place = placeOf(folder, key)
      return (await isAlive(place)) ? place : undefined
    },

    /** The entry at the beginning of a life, created if need be. */
    touch: async (key: string): Promise<Place> => {
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
    },

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
