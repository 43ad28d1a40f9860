import { favoriteTest } from '../../../../core/content/collections/index.js'
import type { Enricher } from './enricher.js'

/** Whether the document is among the caller's favourites. */
export const favorites: Enricher = {
  name: 'favorites',
  enrich: ({ documents, session }) => {
    const test = favoriteTest(session)
    return Promise.all(
      documents.map(async (document) => ({ favorites: { isFavorite: await test(document) } })),
    )
  },
}
