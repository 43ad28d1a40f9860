import { join } from 'node:path'
import type { AccountedBlobStore } from '../../core/files/blobs/index.js'
import {
  type TransientFileStore,
  transientStoreConfig,
  transientStoreNames,
} from '../../core/files/transient/index.js'
import {
  createUploads,
  storeOfHandler,
  type Uploads,
  uploadHandlers,
} from '../../core/files/uploads/index.js'
import type { Contributions } from '../../core/platform/contributions/index.js'
import type { Settings } from '../../core/platform/settings/index.js'
import type { Database } from '../../storage/postgres/index.js'
import { backends } from '../backends.js'

/** The uploads of a process, and the transient stores as they are configured at this moment. */
export const createUploadServices = ({
  settings: { home, http, openBatches },
  database,
  blobs,
  contributions,
}: {
  settings: Pick<Settings, 'home' | 'http' | 'openBatches'>
  database: Database
  blobs: AccountedBlobStore
  contributions(): Contributions
}): {
  uploads: Uploads
  transientStore(name: string): TransientFileStore
  transientStores(): TransientFileStore[]
} => {
  const opened = new Map<string, TransientFileStore>()
  // The same one as long as it is configured the same, so that those who use it at once share what they look at.
  const open = (name: string): TransientFileStore => {
    const config = transientStoreConfig(contributions(), name)
    const written = JSON.stringify([name, config])
    const known = opened.get(written)
    if (known) return known
    const folder = join(home, 'transient', config.path)
    const store = backends.transientFiles[config.kind]({ folder, database, config, blobs })
    opened.set(written, store)
    return store
  }
  const storeOf = (handler: string): string | undefined => storeOfHandler(contributions(), handler)
  return {
    uploads: createUploads({
      stores: {
        handlers: () => uploadHandlers(contributions()),
        storeOf: (handler) => {
          const name = storeOf(handler)
          return name === undefined ? undefined : open(name)
        },
      },
      blobs,
      maxBytes: http.maxUploadBytes,
      maxOpen: openBatches,
    }),
    transientStore: open,
    transientStores: () => {
      const used = uploadHandlers(contributions()).flatMap((handler) => storeOf(handler) ?? [])
      return [...new Set([...transientStoreNames(contributions()), ...used])].map(open)
    },
  }
}

/** @returns how many entries of transient stores had expired. */
export const removeExpiredUploads = async ({
  transientStores,
}: {
  transientStores(): readonly TransientFileStore[]
}): Promise<number> => {
  let removed = 0
  for (const store of transientStores()) removed += await store.removeExpired()
  return removed
}
