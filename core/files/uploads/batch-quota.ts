import { fail } from '../../platform/errors/index.js'
import type { BlobOwner } from '../blobs/index.js'
import type { TransientFileStore } from '../transient/index.js'
import { ownerOf } from './entries.js'
import { createStoreLooks } from './store-looks.js'

/** Seconds after which somebody who has too many batches may ask again. */
const LATER = 10

/** Batches by the user whose they are. */
type Counts = Map<string, number>

const countsIn = async (store: TransientFileStore): Promise<Counts> => {
  const counts: Counts = new Map()
  for await (const { key } of store.list()) {
    const owner = ownerOf(key)
    if (owner !== undefined) counts.set(owner, (counts.get(owner) ?? 0) + 1)
  }
  return counts
}

/**
 * Batches of each user in a store, with files or without. Those of this process count at once, those of other ones
 * within seconds.
 *
 * @param most that one user may have; administrators have no limit.
 */
export const createBatchQuota = ({ most }: { most: number }) => {
  const looks = createStoreLooks(countsIn)

  return {
    /** Counts one more. @throws tooManyRequests */
    take: async (store: TransientFileStore, { name, isAdministrator }: BlobOwner): Promise<void> => {
      if (isAdministrator) return
      const counts = await looks.forceFetch(store)
      const own = counts.get(name) ?? 0
      if (own >= most)
        throw fail('tooManyRequests', `User ${name} has ${most} batches of uploads, which is the maximum`, {
          retryAfter: LATER,
        })
      counts.set(name, own + 1)
    },

    /** Counts one less. */
    give: (store: TransientFileStore, { name }: BlobOwner): void => {
      const counts = looks.get(store)
      const own = counts?.get(name)
      if (own !== undefined) counts?.set(name, own - 1)
    },
  }
}
