import { ancestorPaths, readableAncestors } from './ancestors.js'
import type { Enricher } from './enricher.js'

/** The nearest ancestor that the caller may read; left out when there is none. */
export const firstAccessibleAncestor: Enricher = {
  name: 'firstAccessibleAncestor',
  enrich: async ({ documents, session, renderer }) => {
    const ancestors = await readableAncestors(session, documents)
    return Promise.all(
      documents.map(async ({ path }) => {
        const nearest = ancestorPaths(path).findLast((ancestor) => ancestors.has(ancestor))
        const readable = nearest === undefined ? undefined : ancestors.get(nearest)
        return readable ? { firstAccessibleAncestor: await renderer.one(readable) } : {}
      }),
    )
  },
}
