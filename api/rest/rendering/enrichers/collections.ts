import { getCollectionsOf } from '../../../../core/content/collections/index.js'
import { type Enricher, each } from './enricher.js'

/** The collections that hold the document and that the caller may read: a plain list of documents. */
export const collections: Enricher = {
  name: 'collections',
  enrich: each(async (document, { session, renderer }) => ({
    collections: await renderer.many(await getCollectionsOf(session, document)),
  })),
}
