import {
  type DocumentRecord,
  documentEvent,
  requirePermission,
  type Session,
  staleDocument,
} from '../documents/index.js'
import { fail } from '../errors/index.js'

/**
 * Follows a transition of a document's life cycle.
 *
 * @throws badRequest when its present state does not allow the transition, naming those it allows;
 * forbidden without `WriteLifeCycle`.
 */
export const followTransition = async (
  session: Session,
  document: DocumentRecord,
  name: string,
): Promise<DocumentRecord> => {
  await requirePermission(session, document, 'WriteLifeCycle')
  const lifecycle = session.model.lifecycles.get(session.model.types.get(document.type)?.lifecycle ?? '')
  const allowed = lifecycle?.states.get(document.lifecycleState ?? '')?.transitions ?? []
  const transition = allowed.includes(name) ? lifecycle?.transitions.get(name) : undefined
  if (!transition) {
    throw fail(
      'badRequest',
      `Unable to follow transition '${name}' from state '${document.lifecycleState}' on ${document.path ?? document.id}: allowed are ${allowed.join(', ') || 'none'}`,
    )
  }
  const changed = await session.store.update(
    {
      id: document.id,
      columns: { lifecycleState: transition.to },
      isUserChange: false,
      expectedSystemToken: document.systemToken,
    },
    [
      documentEvent('lifecycle_transition_event', document, {
        transition: name,
        from: document.lifecycleState,
        to: transition.to,
      }),
    ],
  )
  if (!changed) throw staleDocument(document.id)
  return changed
}
