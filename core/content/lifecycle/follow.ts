import type { Lifecycle } from '../../model/content-model/index.js'
import type { DocumentRecord, Properties } from '../../model/properties/index.js'
import { fail, requireAtomic } from '../../platform/errors/index.js'
import {
  changeDocument,
  checkOutChange,
  commentOfEvent,
  documentEvent,
  grantedBelow,
  notifyListeners,
  onTarget,
  requirePermission,
  type Session,
  transitionEvent,
} from '../documents/index.js'
import type { TransitionTable } from '../stores/index.js'
import { trashDocument, untrashDocument } from '../trash/index.js'

/** For clients of older servers, whose trash was a state (workflow-audit.md §4). */
const TO_TRASH = 'delete'
const FROM_TRASH = 'undelete'

const lifecycleOf = ({ model }: Session, type: string): Lifecycle | undefined =>
  model.lifecycles.get(model.types.get(type)?.lifecycle ?? '')

const leaving = (lifecycle: Lifecycle | undefined, state: string | null): readonly string[] =>
  lifecycle?.states.get(state ?? '')?.transitions ?? []

/** The transitions that a document's state allows; from the trash, and only there, `undelete`. */
export const allowedTransitions = (session: Session, document: DocumentRecord): readonly string[] =>
  document.isTrashed ? [FROM_TRASH] : leaving(lifecycleOf(session, document.type), document.lifecycleState)

/** By type, from where to where a transition leads. */
const tableOf = (session: Session, name: string): TransitionTable =>
  [...session.model.types.values()].flatMap(({ name: type }) => {
    const lifecycle = lifecycleOf(session, type)
    const to = lifecycle?.transitions.get(name)?.to
    if (!lifecycle || to === undefined) return []
    return [...lifecycle.states.keys()]
      .filter((state) => leaving(lifecycle, state).includes(name))
      .map((from) => ({ type, from, to }))
  })

const PAGE = 500
const TOLD_BELOW = ['documentCheckedOut', 'lifecycle_transition_event']

/** Descendants of a folder follow too, as far as states, rights and locks allow. */
const followBelow = async (
  session: Session,
  folder: DocumentRecord,
  { transition, comment }: { transition: string; comment: string | null },
): Promise<void> => {
  if (!session.model.facetsOf(folder.type, folder.facets).includes('Folderish')) return
  const granted = await grantedBelow(session, folder, 'WriteLifeCycle')
  const table = tableOf(session, transition)
  const followed = await session.stores.subtrees.followTransition(folder, {
    transition,
    table,
    granted,
    comment,
  })
  if (!TOLD_BELOW.some((event) => session.listeners.of(event).length > 0)) return
  for (let at = 0; at < followed.length; at += PAGE) {
    const page = new Map(followed.slice(at, at + PAGE).map((one) => [one.id, one]))
    for (const changed of await session.stores.documents.getMany([...page.keys()])) {
      const { from, wasCheckedIn } = page.get(changed.id)!
      const before = { ...changed, lifecycleState: from }
      const to = changed.lifecycleState ?? ''
      await notifyListeners(session, changed, [
        ...(wasCheckedIn ? [documentEvent('documentCheckedOut', before)] : []),
        transitionEvent(before, { transition, to, comment }),
      ])
    }
  }
}

/**
 * Follows a transition of a document's life cycle, and takes along what is below a folder. A document that is
 * checked in is checked out by it. `delete` and `undelete` move it into and out of the trash, leave the
 * state alone, and are allowed in every state.
 *
 * @param comment reaches the event, shortened to what the audit keeps.
 * @param properties service data of the product, written with the state.
 * @throws badRequest when its present state does not allow the transition, naming those it allows, and for a
 * version; forbidden without `WriteLifeCycle`; what `trashDocument` and `untrashDocument` throw.
 */
export const followTransition = async (
  session: Session,
  document: DocumentRecord,
  name: string,
  {
    comment: given,
    properties,
  }: { comment?: string | null | undefined; properties?: Properties | undefined } = {},
): Promise<DocumentRecord> => {
  const comment = commentOfEvent(given)
  if (name === TO_TRASH) return (await trashDocument(session, document, { comment })) ?? document
  if (name === FROM_TRASH) return untrashDocument(session, document, { comment })
  await requirePermission(session, document, 'WriteLifeCycle')
  if (document.isProxy)
    return onTarget(session, document, (target) =>
      followTransition(session, target, name, { comment, properties }),
    )
  if (document.isVersion)
    throw fail('badRequest', `Document ${document.id} is a version: its state does not change`)
  const lifecycle = lifecycleOf(session, document.type)
  const allowed = leaving(lifecycle, document.lifecycleState)
  const transition = allowed.includes(name) ? lifecycle?.transitions.get(name) : undefined
  if (!transition) {
    throw fail(
      'badRequest',
      `Not allowed to follow transition ${name} from state ${document.lifecycleState} on ${document.path ?? document.id}: allowed are ${allowed.join(', ') || 'none'}`,
    )
  }
  requireAtomic(session)
  const { to } = transition
  const checkOut = await checkOutChange(session, document)
  const changed = await changeDocument(
    session,
    document,
    {
      columns: { ...checkOut.columns, lifecycleState: to },
      properties: { ...checkOut.properties, ...properties },
    },
    [...checkOut.events, transitionEvent(document, { transition: name, to, comment })],
  )
  await followBelow(session, changed, { transition: name, comment })
  return changed
}
