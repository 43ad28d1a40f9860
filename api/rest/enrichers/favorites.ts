import { isFavorite } from '../../../core/collections/index.js'
import type { Enricher } from './enricher.js'

/** Whether the document is among the caller's favourites. */
export const favorites: Enricher = {
  name: 'favorites',
  enrich: async ({ document, session }) => ({
    favorites: { isFavorite: await isFavorite(session, document) },
  }),
}
