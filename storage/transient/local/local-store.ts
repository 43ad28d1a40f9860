import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BlobStore, StoredBlob } from '../../../core/files/blobs/index.js'
import {
  isStored,
  sharedLength,
  storageLength,
  type TransientBlob,
  type TransientFileStore,
  type TransientStoreConfig,
  type TransientSummary,
  withinSpace,
} from '../../../core/files/transient/index.js'
import type { PropertyValue } from '../../../core/model/properties/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import { createEntries } from './entries.js'
import {
  blobNamesIn,
  blobOf,
  lengthsIn,
  openBytes,
  openTemporary,
  putBytes,
  putStored,
  putText,
} from './entry-blobs.js'
import { lengthOf, namesIn, orMissing, readJson, readText, removeFile } from './files.js'
import { fileName, nameOf } from './place.js'

/**
 * Entries as folders, so that whatever a process has kept is there after its end, and for any other process that has
 * the folder.
 *
 * @param options.folder created on demand.
 * @param options.blobs where stored blobs of entries are read.
 */
export const createLocalTransientStore = ({
  folder,
  config,
  blobs,
}: {
  folder: string
  config: TransientStoreConfig
  blobs: Pick<BlobStore, 'open'>
}): TransientFileStore => {
  const { find, remembered, touch, touching, forget, all, isAlive, removeExpired } = createEntries(
    folder,
    config,
  )

  async function* list(): AsyncGenerator<TransientSummary> {
    for (const place of await all()) {
      const key = await readText(place.key)
      if (key !== undefined && (await isAlive(place))) yield { key, ...(await lengthsIn(place)) }
    }
  }

  const usedBytes = sharedLength({ list })

  return {
    exists: async (key) => (await find(key)) !== undefined,

    parameters: async (key) => {
      const place = await find(key)
      if (!place) return undefined
      const found = new Map<string, PropertyValue>()
      for (const file of await namesIn(place.parameters)) {
        const value = await readJson(join(place.parameters, file))
        if (value !== undefined) found.set(nameOf(file), value)
      }
      return found
    },

    parameter: async (key, name) => {
      const place = await remembered(key)
      return place && readJson(join(place.parameters, fileName(name)))
    },

    putParameters: async (key, parameters) => {
      await touch(key)
      for (const [name, value] of Object.entries(parameters))
        await touching(key, (place) =>
          putText(place, join(place.parameters, fileName(name)), {
            text: JSON.stringify(value),
            replaces: true,
          }),
        )
    },

    addParameter: (key, name, value) =>
      touching(key, async (place) => {
        const path = join(place.parameters, fileName(name))
        const known = await readJson(path)
        if (known !== undefined) return known
        await putText(place, path, { text: JSON.stringify(value), replaces: false })
        return (await readJson(path)) ?? null
      }),

    blobNames: async (key) => {
      const place = await find(key)
      return place ? blobNamesIn(place) : []
    },

    blob: async (key, name) => {
      const place = await remembered(key)
      return place && blobOf(place, name)
    },

    putBlob: async (key, name, content, { owner: _, ...options } = {}) => {
      const known = options.replaces ? undefined : await blobOf(await touch(key), name)
      if (known) return known
      const wanted = isStored(content) ? content.length : 0
      const { absoluteMaxBytes } = config
      const limits = { absoluteMaxBytes, wanted, maxLength: options.maxLength }
      let put: TransientBlob | undefined
      await withinSpace(usedBytes, limits, async (maxLength) => {
        if (isStored(content))
          return touching(key, (place) =>
            putStored(place, name, { stored: content, replaces: options.replaces }),
          )
        const { place, opened } = await touching(key, async (place) => ({
          place,
          opened: await openTemporary(place),
        }))
        put = await putBytes(place, name, { ...options, maxLength, content, opened })
      })
      const place = await touch(key)
      const kept = put ?? (await blobOf(place, name))
      if (!kept) throw fail('notFound', `The entry ${key} was removed meanwhile`)
      return kept
    },

    open: async (key, name) => {
      const place = await remembered(key)
      const found = place && (await blobOf(place, name))
      if (!found) throw fail('notFound', `There is no blob ${name} in the entry ${key}`)
      return found.stored ? blobs.open(found.stored) : openBytes(place, name)
    },

    removeParts: async (key, names) => {
      const place = await find(key)
      if (!place) return
      for (const name of names)
        for (const part of [place.parameters, place.bytes, place.stored])
          await removeFile(join(part, fileName(name)))
    },

    isCompleted: async (key) => {
      const place = await find(key)
      return place !== undefined && (await lengthOf(place.completed)) !== undefined
    },

    setCompleted: async (key, isCompleted) => {
      await touching(key, ({ completed }) =>
        isCompleted ? writeFile(completed, '') : rm(completed, { force: true }),
      )
    },

    length: async (key) => {
      const place = await find(key)
      return place ? (await lengthsIn(place)).length : -1
    },

    remove: async (key) => {
      const place = await find(key)
      forget(key)
      if (place) await rm(place.folder, { recursive: true, force: true })
      return place !== undefined
    },

    release: async (key) => {
      const place = await find(key)
      if (!place) return
      forget(key)
      const { targetMaxBytes } = config
      if (targetMaxBytes !== undefined && (await storageLength({ list })) > targetMaxBytes)
        await rm(place.folder, { recursive: true, force: true })
      else await orMissing(writeFile(place.released, ''))
    },

    list,
    removeExpired,

    references: async (found) => {
      for (const { stored } of await all()) {
        for (const file of await namesIn(stored)) {
          const blob = await readJson<StoredBlob>(join(stored, file))
          if (blob) found(blob.key)
        }
      }
    },
  }
}
