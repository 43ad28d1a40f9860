import { LRUCache } from 'lru-cache'
import type { TransientFileStore } from '../transient/index.js'

/** How old what is known of a store may be, in milliseconds. */
export const LOOK_MS = 5_000

/** A look at a store reads all of its entries: it is repeated after so many times as long as it has taken. */
const LOOK_SHARE = 50

/** What is known of each store by looks at all of its entries, which are no oftener repeated than they are cheap. */
export const createStoreLooks = <Known extends object>(
  look: (store: TransientFileStore) => Promise<Known>,
): Pick<LRUCache<TransientFileStore, Known>, 'forceFetch' | 'get' | 'delete'> =>
  new LRUCache<TransientFileStore, Known>({
    max: 100,
    ttl: LOOK_MS,
    fetchMethod: async (store, _stale, { options }) => {
      const begun = performance.now()
      const known = await look(store)
      options.ttl = Math.max(LOOK_MS, Math.ceil((performance.now() - begun) * LOOK_SHARE))
      return known
    },
  })
