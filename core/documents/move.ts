import { fail } from '../errors/index.js'
import { getDocument, requirePermission } from './access.js'
import { creationProperties } from './dublincore.js'
import { documentEvent } from './events.js'
import { alternativeName, childPath, documentName } from './names.js'
import type { Session } from './session.js'
import type { Place } from './store.js'
import { claimSubtree, grantedAclIds } from './subtree.js'
import type { DocumentRecord, DocumentRef } from './types.js'

/** Loads the folder that is to receive a document, held against being removed or moved meanwhile. */
const receivingFolder = async (
  session: Session,
  ref: DocumentRef,
): Promise<DocumentRecord & { path: string }> => {
  const folder = await getDocument(session, ref, { permission: 'Browse', lock: 'parent' })
  await requirePermission(session, folder, 'AddChildren', ref)
  if (folder.path === null) throw fail('badRequest', `target: ${ref} is a version and takes no children`)
  return { ...folder, path: folder.path }
}

const isWithin = (path: string | null, root: string | null): boolean =>
  path !== null && root !== null && (path === root || root === '/' || path.startsWith(`${root}/`))

/** Tries the name, then alternatives, until `attempt` finds one that is free. */
const withFreeName = async <Result>(
  session: Session,
  {
    parent,
    name,
    attempt,
  }: {
    parent: DocumentRecord & { path: string }
    name: string
    attempt: (place: Place) => Promise<Result | undefined>
  },
): Promise<Result> => {
  for (let count = 0; count < 50; count++) {
    const tried = count === 0 ? name : alternativeName(name, session.now, count - 1)
    const done = await attempt({ parent, name: tried, path: childPath(parent.path, tried) })
    if (done !== undefined) return done
  }
  throw fail('conflict', `name: '${name}' and its alternatives are taken under ${parent.path}`)
}

/**
 * Moves a document with all below it; what it inherits is that of its new place from then on.
 *
 * @param name new name; its own when absent.
 * @throws badRequest into itself, forbidden without `Remove` on the whole and `AddChildren` on the target.
 */
export const moveDocument = async (
  session: Session,
  document: DocumentRecord,
  { target, name }: { target: DocumentRef; name?: string | undefined },
): Promise<DocumentRecord> => {
  await claimSubtree(session, document)
  const parent = await receivingFolder(session, target)
  if (isWithin(parent.path, document.path))
    throw fail('badRequest', `target: ${parent.path} is inside the document that is moved`)
  if (parent.id === document.parentId && (!name || name === document.name)) return document
  await withFreeName(session, {
    parent,
    name: documentName(name ?? document.name),
    attempt: async (place) => (await session.store.moveSubtree(document, place)) || undefined,
  })
  const moved = await session.store.get(document.id)
  if (!moved) throw fail('notFound', document.id)
  await session.store.emit([documentEvent('documentMoved', moved, { from: document.path })])
  return moved
}

const initialStates = ({ model }: Session): { [type: string]: string | null } =>
  Object.fromEntries(
    [...model.types.values()].map((type) => [
      type.name,
      model.lifecycles.get(type.lifecycle)?.initial ?? null,
    ]),
  )

/**
 * Copies a document with all below it that the principal may read. Copies are new documents: unlocked,
 * without versions or local ACLs, in the initial state of their life cycle.
 */
export const copyDocument = async (
  session: Session,
  document: DocumentRecord,
  { target, name }: { target: DocumentRef; name?: string | undefined },
): Promise<DocumentRecord> => {
  const parent = await receivingFolder(session, target)
  if (isWithin(parent.path, document.path))
    throw fail('badRequest', `target: ${parent.path} is inside the document that is copied`)
  const readableAclIds = await grantedAclIds(session, await session.store.subtreeAclIds(document), 'Read')
  const properties = creationProperties(session, document.type, document.facets)
  const copy = await withFreeName(session, {
    parent,
    name: documentName(name ?? document.name),
    attempt: async (place) =>
      session.store.copySubtree(document, {
        ...place,
        readableAclIds,
        properties,
        initialStates: initialStates(session),
      }),
  })
  await session.store.markCopiedMembers(copy)
  await session.store.emit([documentEvent('documentCreatedByCopy', copy, { source: document.id })])
  return copy
}
