import type { DocumentRecord, DocumentRef } from '../../../../model/properties/index.js'
import { fail } from '../../../../platform/errors/index.js'
import { createFairSemaphore, createSharing, tooManyAtOnce } from '../../../../platform/limits/index.js'
import { requirePermission } from '../../access/access.js'
import { requireNoComment } from '../../access/comment-rights.js'
import { grantedBelow } from '../../access/subtree.js'
import { requireNoWorkflowDocument } from '../../access/workflow-documents.js'
import { announce, documentEvent, emit } from '../../events.js'
import { documentName, untrashedName } from '../../names.js'
import { positionIn } from '../../place.js'
import type { Session } from '../../session.js'
import { beginChange } from '../begin.js'
import { requireFewCollections } from '../collection-limit.js'
import { creationProperties } from '../dublincore.js'
import { isWithin, receivingFolder, withFreeName } from './move.js'

const initialStates = ({ model }: Session): { [type: string]: string | null } =>
  Object.fromEntries(
    [...model.types.values()].map((type) => [
      type.name,
      model.lifecycles.get(type.lifecycle)?.initial ?? null,
    ]),
  )

/** Documents of one copy: copies of copies grow by themselves, at no cost of who asks for them. */
const MAX_COPIED = 100_000

const requireFew = async (session: Session, document: DocumentRecord): Promise<void> => {
  if (session.principal.isAdministrator) return
  if ((await session.stores.subtrees.countBelow(document, MAX_COPIED)) < MAX_COPIED) return
  throw fail(
    'tooLarge',
    `${document.path ?? document.id} has ${MAX_COPIED} documents or more below it, which administrators alone may copy at once`,
  )
}

/** Folders that one process copies at a time, one of a user: what one holds may take the database seconds. */
const turns = createSharing(
  createFairSemaphore({ places: 2, waitTimeoutMs: 30_000 }),
  tooManyAtOnce('copies of folders'),
)

/** Where a copy is to be, and its name unless it is that of the original. */
type Wanted = { target: DocumentRef; name?: string | undefined }

/**
 * Copies a document with all below it that the principal may read. Copies are new documents: unlocked,
 * without versions or local ACLs, in the initial state of their life cycle, created now by the principal. A copied
 * proxy shows what the original shows; a copied version becomes a document. Trash below a folder is not copied.
 *
 * @param withChildren false for the document alone.
 * @throws badRequest into itself or below, or with a collection whose member is in too many; forbidden without `Read`,
 * or `AddChildren` on the target, and for tasks, routes and comments; tooLarge for more documents than one copy may have;
 * tooManyRequests when the turn of a folder does not come in time.
 */
export const copyDocument = (
  session: Session,
  document: DocumentRecord,
  { target, name, withChildren = true }: Wanted & { withChildren?: boolean },
): Promise<DocumentRecord> => {
  const work = () => copy(session, document, { target, name, withChildren })
  const isTree = withChildren && session.model.facetsOf(document.type, document.facets).includes('Folderish')
  return isTree ? turns(session.principal, work) : work()
}

const copy = async (
  session: Session,
  document: DocumentRecord,
  { target, name, withChildren }: Wanted & { withChildren: boolean },
): Promise<DocumentRecord> => {
  beginChange(session)
  await requirePermission(session, document, 'Read')
  requireNoWorkflowDocument(session, document)
  requireNoComment(session, document, 'copied')
  const parent = await receivingFolder(session, target)
  if (isWithin(parent.path, document.path))
    throw fail('badRequest', `target: ${parent.path} is inside the document that is copied`)
  const wantedName = documentName(name ?? untrashedName(document.name))
  await announce(session, 'aboutToCopy', document, {
    destinationRef: parent.id,
    destinationPath: parent.path,
    destinationName: wantedName,
  })
  if (withChildren) await requireFew(session, document)
  const readable = await grantedBelow(session, document, 'Read')
  const properties = creationProperties(session, document.type, document.facets)
  const copied = await withFreeName(session, {
    parent,
    name: wantedName,
    position: await positionIn(session, parent),
    attempt: async (place) =>
      session.stores.subtrees.copy(document, {
        ...place,
        readable,
        properties,
        initialStates: initialStates(session),
        withChildren,
      }),
  })
  requireFewCollections(session, await session.stores.collections.markCopiedMembers(copied), 'a member')
  await emit(session, document, [
    documentEvent('documentDuplicated', document, { destination: copied.id, destinationPath: copied.path }),
  ])
  return emit(session, copied, [
    documentEvent('documentCreatedByCopy', copied, { source: document.id, sourcePath: document.path }),
  ])
}
