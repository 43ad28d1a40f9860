import { favoriteTest } from '../../../core/collections/index.js'
import type { Session } from '../../../core/documents/index.js'
import type { Enricher } from './enricher.js'

/** The documents of one answer share a session, and with it one look at the favourites. */
const tests = new WeakMap<Session, ReturnType<typeof favoriteTest>>()

const testOf = (session: Session): ReturnType<typeof favoriteTest> => {
  const known = tests.get(session) ?? favoriteTest(session)
  tests.set(session, known)
  return known
}

/** Whether the document is among the caller's favourites. */
export const favorites: Enricher = {
  name: 'favorites',
  enrich: async ({ document, session }) => ({
    favorites: { isFavorite: await testOf(session)(document) },
  }),
}
