import type { DocumentRecord, DocumentRef } from '../../../../model/properties/index.js'
import { fail } from '../../../../platform/errors/index.js'
import type { Place } from '../../../stores/index.js'
import { getDocument, requirePermission } from '../../access/access.js'
import { requireNoComment } from '../../access/comment-rights.js'
import { claimSubtree } from '../../access/subtree.js'
import { announce, documentEvent, emit } from '../../events.js'
import { alternativeName, childPath, documentName, isTrashedName, requirePathLength } from '../../names.js'
import { isOrderable, type Placed, positionIn, requireContainer } from '../../place.js'
import type { Session } from '../../session.js'
import { beginChange } from '../begin.js'
import { staleDocument } from '../stale.js'

/** Loads the folder that receives a document, locked against being removed or moved. */
export const receivingFolder = async (session: Session, ref: DocumentRef): Promise<Placed> => {
  const folder = await getDocument(session, ref, { permission: 'Browse', lock: 'parent' })
  await requirePermission(session, folder, 'AddChildren', ref)
  return requireContainer(folder, 'target')
}

export const isWithin = (path: string | null, root: string | null): boolean =>
  path !== null && root !== null && (path === root || root === '/' || path.startsWith(`${root}/`))

/** Tries the name, then alternatives, until `attempt` finds one that is free. @throws conflict when none is. */
export const withFreeName = async <Result>(
  session: Session,
  {
    parent,
    name,
    position,
    attempt,
  }: {
    parent: Placed
    name: string
    position: number | null
    attempt: (place: Place) => Promise<Result | undefined>
  },
): Promise<Result> => {
  for (let count = 0; count < 50; count++) {
    const tried = count === 0 ? name : alternativeName(name, session.now, count - 1)
    const done = await attempt({ parent, name: tried, path: childPath(parent.path, tried), position })
    if (done !== undefined) return done
  }
  throw fail('conflict', `name: '${name}' and its alternatives are taken under ${parent.path}`)
}

/**
 * Moves a locked subtree to another parent. Its events are the caller's.
 *
 * @param document as it is since the subtree is locked.
 * @param isTrashed whether it is in the trash under a name; absent: its marks stay as they are.
 */
export const relocate = async (
  session: Session,
  document: DocumentRecord,
  {
    parent,
    name,
    position,
    longestPath,
    isTrashed,
  }: {
    parent: Placed
    name: string
    position: number | null
    longestPath: number
    isTrashed?: (name: string) => boolean
  },
): Promise<DocumentRecord> => {
  const below = longestPath - Buffer.byteLength(document.path ?? '')
  await withFreeName(session, {
    parent,
    name,
    position,
    attempt: async (place) => {
      requirePathLength(below + Buffer.byteLength(place.path), 'target')
      const mark = isTrashed?.(place.name)
      const to = { ...place, isTrashed: mark === document.isTrashed ? undefined : mark }
      return (await session.stores.subtrees.move(document, to)) || undefined
    },
  })
  const moved = await session.stores.documents.get(document.id)
  if (!moved) throw staleDocument(document.id)
  return moved
}

/**
 * Moves a document with all below it; it inherits the ACLs of its new parent from then on. Where children
 * are ordered it becomes the last. Moving out of a trashed folder, or into one, takes it out of the trash, or puts
 * it there; what was trashed by itself stays trashed.
 *
 * @param name new name; its own when absent. A taken one is replaced by `name.<epoch millis>`.
 * @throws badRequest into itself or below, forbidden without `Remove` on the whole and `AddChildren` on the target, and
 *   for comments.
 */
export const moveDocument = async (
  session: Session,
  document: DocumentRecord,
  { target, name }: { target: DocumentRef; name?: string | undefined },
): Promise<DocumentRecord> => {
  beginChange(session)
  if (document.path === null)
    throw fail('badRequest', `Document ${document.id} is a version and cannot be moved`)
  requireNoComment(session, document, 'moved')
  const { longestPath } = await claimSubtree(session, document)
  const parent = await receivingFolder(session, target)
  if (isWithin(parent.path, document.path))
    throw fail('badRequest', `target: ${parent.path} is inside the document that is moved`)
  const isSamePlace = parent.id === document.parentId
  if (isSamePlace && (!name || name === document.name)) return document
  const wantedName = documentName(name ?? document.name)
  await announce(session, 'aboutToMove', document, {
    destinationRef: parent.id,
    destinationPath: parent.path,
    destinationName: wantedName,
  })
  const current = await session.stores.documents.get(document.id)
  if (!current) throw staleDocument(document.id)
  const moved = await relocate(session, current, {
    parent,
    name: wantedName,
    position: isSamePlace ? document.position : await positionIn(session, parent),
    longestPath,
    isTrashed: (given) => parent.isTrashed || (current.isTrashed && isTrashedName(given)),
  })
  return emit(session, moved, [
    documentEvent('documentMoved', moved, {
      from: document.path,
      to: moved.path,
      originalName: document.name,
      parentPath: document.path.slice(0, document.path.lastIndexOf('/')) || '/',
      destinationPath: parent.path,
    }),
  ])
}

/**
 * Moves a child before another, or last, in a folder whose children are ordered.
 *
 * @throws badRequest when the folder is not ordered or the two are not in the same folder, forbidden without
 * `WriteProperties` on the folder.
 */
export const orderDocument = async (
  session: Session,
  document: DocumentRecord,
  before?: DocumentRecord | undefined,
): Promise<DocumentRecord> => {
  beginChange(session)
  if (before && before.parentId !== document.parentId)
    throw fail('badRequest', `before: ${before.path ?? before.id} is not in the same folder`)
  // Locked: of two who order at once the second numbers what the first has left.
  const folder =
    document.parentId === null ? undefined : await session.stores.documents.get(document.parentId, 'write')
  if (!folder) throw fail('badRequest', `Document ${document.path ?? document.id} has no parent folder`)
  await requirePermission(session, folder, 'WriteProperties')
  if (!isOrderable(session, folder))
    throw fail('badRequest', `Folder ${folder.path} is not Orderable: its children have no order`)
  const others = (await session.stores.children.ids(folder.id)).filter((id) => id !== document.id)
  const place = before && before.id !== document.id ? others.indexOf(before.id) : others.length
  if (before?.id === document.id || place < 0) return document
  await session.stores.children.setPositions([...others.slice(0, place), document.id, ...others.slice(place)])
  await emit(session, folder, [documentEvent('childrenOrderChanged', folder)])
  return (await session.stores.documents.get(document.id)) ?? document
}
