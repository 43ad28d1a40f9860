import type { DocumentRecord } from '../../model/properties/index.js'
import { childPath, type Session } from '../documents/index.js'
import { findUserWorkspace } from '../user-workspaces/index.js'
import { ownDocument } from './collections.js'
import { FAVORITES, memberIds } from './membership.js'

/** The favourites of the principal: a collection in the user workspace, created when it does not exist. */
export const getFavorites = (session: Session): Promise<DocumentRecord> =>
  ownDocument(session, FAVORITES, FAVORITES)

const find = async (session: Session): Promise<DocumentRecord | undefined> => {
  const workspace = await findUserWorkspace(session)
  return workspace?.path ? session.stores.documents.get(childPath(workspace.path, FAVORITES)) : undefined
}

/**
 * Whether documents are among the principal's favourites, which are looked up once. Creates none.
 */
export const favoriteTest = (session: Session): ((document: DocumentRecord) => Promise<boolean>) => {
  let members: Promise<ReadonlySet<string>> | undefined
  return async ({ id }) => {
    members ??= find(session).then((favorites) => new Set(favorites ? memberIds(favorites) : []))
    return (await members).has(id)
  }
}
