import { quoteNxql } from '../../model/nxql/index.js'
import type { DocumentRecord } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import {
  createDocument,
  type DocumentPage,
  ensureChild,
  type Paging,
  privileged,
  requirePermission,
  type Session,
  searchDocuments,
} from '../documents/index.js'
import { getUserWorkspace } from '../user-workspaces/index.js'

const TYPE = 'Collection'

/** A document of the product's own in the user workspace of the principal, created when it does not exist. */
export const ownDocument = async (session: Session, name: string, type: string): Promise<DocumentRecord> => {
  const parent = await getUserWorkspace(session)
  const { document } = await ensureChild(privileged(session), {
    parent,
    name,
    type,
    properties: { 'dc:title': name },
  })
  await requirePermission(session, document, 'Read')
  return document
}

/**
 * Creates a collection in a folder, or else in the principal's own workspace under `Collections`.
 *
 * @throws badRequest without a name, forbidden without `AddChildren` on the folder.
 */
export const createCollection = async (
  session: Session,
  {
    name,
    description,
    parent,
  }: {
    name: string
    description?: string | undefined
    parent?: DocumentRecord | undefined
  },
): Promise<DocumentRecord> => {
  if (name.trim() === '') throw fail('badRequest', 'name: a collection needs a name')
  const folder = parent ?? (await ownDocument(session, 'Collections', 'Collections'))
  return createDocument(session, {
    parent: folder.id,
    name,
    type: TYPE,
    properties: {
      'dc:title': name,
      ...(description !== undefined && description !== '' && { 'dc:description': description }),
    },
  })
}

/**
 * Collections whose title starts with a text, ignoring case, that the principal may read, by title. `%` and `_`
 * stand for any text and any character.
 */
export const findCollections = (
  session: Session,
  searchTerm: string,
  paging: Paging = {},
): Promise<DocumentPage> => {
  const pattern = searchTerm.includes('%') ? searchTerm : `${searchTerm}%`
  const nxql = `SELECT * FROM Document WHERE ecm:mixinType = 'Collection' AND ecm:primaryType <> 'Favorites'
    AND ecm:isVersion = 0 AND ecm:isProxy = 0 AND ecm:isTrashed = 0
    AND dc:title ILIKE ${quoteNxql(pattern)} ORDER BY dc:title, ecm:uuid`
  return searchDocuments(session, nxql, paging)
}
