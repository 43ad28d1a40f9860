import type { Ace } from '../../../../access/security/index.js'
import type { DocumentRecord, Properties } from '../../../../model/properties/index.js'
import { documentEvent } from '../../events.js'
import type { Session } from '../../session.js'
import { createDocument, newRecord } from './create.js'

/** A document that a new repository starts with. */
export type SeededDocument = { path: string; type: string; properties: Properties; acl: readonly Ace[] }

/**
 * Fills an empty repository. One that has a root is left as it is: documents that were removed stay removed.
 * The caller ensures that no two processes do this at once.
 *
 * @param documents parents before children, the root first.
 * @returns whether the repository was empty.
 */
export const seedRepository = async (
  session: Session,
  documents: readonly SeededDocument[],
): Promise<boolean> => {
  if (await session.stores.documents.get('/')) return false
  for (const seeded of documents) await seed(session, seeded)
  return true
}

const seed = async (session: Session, { path, type, properties, acl }: SeededDocument): Promise<void> => {
  const document =
    path === '/'
      ? await createRoot(session, type, properties)
      : await createChild(session, { path, type, properties })
  // The root's effective ACL is computed here, so it is set even when it has no entries.
  if (path === '/' || acl.length > 0)
    await session.stores.acls.setLocal(document, [{ name: 'local', aces: acl }])
}

const createRoot = async (
  session: Session,
  type: string,
  properties: Properties,
): Promise<DocumentRecord> => {
  const root = await newRecord(session, { parent: null, name: '', type, properties })
  await session.stores.documents.insert(root, [documentEvent('documentCreated', root)])
  return root
}

const createChild = (
  session: Session,
  { path, type, properties }: Omit<SeededDocument, 'acl'>,
): Promise<DocumentRecord> => {
  const slash = path.lastIndexOf('/')
  return createDocument(session, {
    parent: path.slice(0, slash) || '/',
    name: path.slice(slash + 1),
    type,
    properties,
  })
}
