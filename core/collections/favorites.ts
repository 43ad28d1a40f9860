import { childPath, type DocumentRecord, type Session } from '../documents/index.js'
import { findUserWorkspace } from '../user-workspaces/index.js'
import { ownDocument } from './collections.js'
import { isInCollection } from './membership.js'

const NAME = 'Favorites'

/** The favourites of the principal: a collection in the user workspace, made when there is none yet. */
export const getFavorites = (session: Session): Promise<DocumentRecord> => ownDocument(session, NAME, NAME)

/** Whether a document is among the principal's favourites; makes none. */
export const isFavorite = async (session: Session, document: DocumentRecord): Promise<boolean> => {
  if (!document.isProxy && !document.facets.includes('CollectionMember')) return false
  const workspace = await findUserWorkspace(session)
  if (!workspace?.path) return false
  const favorites = await session.store.get(childPath(workspace.path, NAME))
  return favorites !== undefined && isInCollection(favorites, document)
}
