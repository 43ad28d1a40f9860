import type { DocumentRecord } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import { COMMENTS_FOLDER, childPath, ensureChild, privileged, type Session } from '../documents/index.js'

/** Names under which the folder of comments is looked for: a document's own child may have the first. */
const NAMES = [COMMENTS_FOLDER, '~Comments', '~~Comments']

/** The document in the tree that stands for one: versions have no place, so theirs is that of the live document. */
const placeOf = async (session: Session, document: DocumentRecord): Promise<DocumentRecord> => {
  if (document.path !== null) return document
  const live = document.versionSeriesId
    ? await session.stores.documents.get(document.versionSeriesId)
    : undefined
  if (!live)
    throw fail('conflict', `Document ${document.id} cannot be commented on: its live document was removed`)
  return live
}

/**
 * The hidden folder that holds the comments on a document, created when it does not exist. As children of the document,
 * they have its visibility, and are moved and removed with it.
 */
export const commentsFolder = async (session: Session, document: DocumentRecord): Promise<DocumentRecord> => {
  const parent = await placeOf(session, document)
  for (const name of NAMES) {
    const taken = await session.stores.documents.get(childPath(parent.path ?? '', name))
    if (taken && taken.type !== COMMENTS_FOLDER) continue
    const { document: folder } = await ensureChild(privileged(session), {
      parent,
      name,
      type: COMMENTS_FOLDER,
      properties: { 'dc:title': COMMENTS_FOLDER },
    })
    if (folder.type === COMMENTS_FOLDER) return folder
  }
  throw fail(
    'conflict',
    `Document ${document.id} cannot be commented on: its children have the names that are reserved for comments`,
  )
}
