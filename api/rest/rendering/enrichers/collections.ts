import { getCollectionsOf } from '../../../../core/content/collections/index.js'
import type { Enricher } from './enricher.js'

/** The collections that hold the document and that the caller may read: a plain list of documents. */
export const collections: Enricher = {
  name: 'collections',
  enrich: async ({ documents, session, renderer }) => {
    const found = await getCollectionsOf(session, documents, { isWhole: !renderer.isPlain })
    const all = [...new Set([...found.values()].flat())]
    const entities = new Map((await renderer.many(all)).map((entity) => [entity.uid, entity]))
    return documents.map(({ id }) => ({
      collections: (found.get(id) ?? []).map((collection) => entities.get(collection.id)),
    }))
  },
}
