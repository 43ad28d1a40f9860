import { keepReadable } from '../../../core/documents/index.js'
import { ancestorPaths, readAncestor } from './ancestors.js'
import type { Enricher } from './enricher.js'

/** The nearest ancestor that the caller may read; left out when there is none. */
export const firstAccessibleAncestor: Enricher = {
  name: 'firstAccessibleAncestor',
  enrich: async ({ document, session, renderer }) => {
    for (const path of ancestorPaths(document.path).reverse()) {
      const found = await readAncestor(session, path)
      const [readable] = found ? await keepReadable(session, [found]) : []
      if (readable) return { firstAccessibleAncestor: await renderer.one(readable) }
    }
    return {}
  },
}
