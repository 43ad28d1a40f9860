import { plainDocumentsEntity } from '../../entities/index.js'
import { ancestorPaths, readableAncestors } from './ancestors.js'
import type { Enricher } from './enricher.js'

const isBelowRoot = (path: string): boolean => path !== '/'

/** From below the root to the document itself, as far as the caller may read them. */
export const breadcrumb: Enricher = {
  name: 'breadcrumb',
  enrich: async ({ documents, session, renderer }) => {
    const ancestors = await readableAncestors(session, documents, isBelowRoot)
    const above = await renderer.many([...ancestors.values()])
    const entityAt = new Map([...ancestors.keys()].map((path, position) => [path, above[position]!]))
    const entities = await renderer.many(documents)
    return documents.map(({ path }, position) => ({
      breadcrumb: plainDocumentsEntity([
        ...ancestorPaths(path)
          .filter(isBelowRoot)
          .flatMap((ancestor) => entityAt.get(ancestor) ?? []),
        entities[position]!,
      ]),
    }))
  },
}
