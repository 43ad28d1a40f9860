import type { DocumentRecord, Properties, PropertyValue } from '../../model/properties/index.js'
import { requireAtomic } from '../../platform/errors/index.js'
import { type CoreEvent, callListener, notifyWithoutDocument } from '../../platform/events/index.js'
import { shortened } from '../../platform/limits/index.js'
import type { DocumentChange } from '../stores/index.js'
import { AUDITED_BY } from './access/audited-facets.js'
import { staleDocument } from './changes/stale.js'
import type { ListenedEvent } from './listeners.js'
import type { Session } from './session.js'

/** Options of an event, beside those that every event about a document has. */
export type EventOptions = { [option: string]: PropertyValue }

/** An event about a document, with what listeners need when the document is gone by the time they read it. */
export const documentEvent = (
  event: string,
  document: DocumentRecord,
  options: EventOptions = {},
): CoreEvent => ({
  event,
  documentId: document.id,
  payload: {
    type: document.type,
    path: document.path,
    parentId: document.parentId,
    lifecycleState: document.lifecycleState,
    systemToken: document.systemToken,
    ...(document.facets.some((facet) => AUDITED_BY.includes(facet)) && { facets: [...document.facets] }),
    ...options,
  },
})

/** As much as the audit keeps of it. */
const MAX_COMMENT = 4_000

/**
 * What an event carries of a comment: the change of many documents, and of what lies below a folder, writes it with each.
 */
export const commentOfEvent = (comment: string | null | undefined): string | null =>
  comment === null || comment === undefined ? null : shortened(comment, MAX_COMMENT)

const call = async (session: Session, event: ListenedEvent): Promise<Properties> => {
  const listeners = session.listeners.of(event.event)
  if (listeners.length === 0) return {}
  requireAtomic(session)
  let changes: Properties = {}
  for (const listener of listeners) {
    const { document } = event
    const properties = { ...document?.properties, ...changes }
    const received: ListenedEvent = { ...event, document: document && { ...document, properties } }
    changes = { ...changes, ...(await callListener(session, listener, received)) }
  }
  return changes
}

/**
 * Notifies listeners before a change of a document, by an event that is not written to the outbox.
 *
 * @param document as it is, with the properties that it is about to have.
 * @returns properties that listeners want to be set with the change.
 */
export const announce = (
  session: Session,
  event: string,
  document: DocumentRecord,
  options: EventOptions = {},
): Promise<Properties> =>
  session.listeners.of(event).length === 0
    ? Promise.resolve({})
    : call(session, { ...documentEvent(event, document, options), document })

/**
 * Notifies listeners of events, after the statement that wrote the change and them.
 *
 * @returns the document, read again when a listener may have changed it.
 */
export const notifyListeners = async (
  session: Session,
  document: DocumentRecord,
  events: readonly CoreEvent[],
): Promise<DocumentRecord> => {
  const listened = events.filter(({ event }) => session.listeners.of(event).length > 0)
  if (listened.length === 0) return document
  for (const event of listened) await call(session, { ...event, document })
  return (await session.stores.documents.get(document.id)) ?? document
}

/** Writes an event that is about no document, and notifies listeners. */
export const emitWithoutDocument = async (session: Session, event: CoreEvent): Promise<void> => {
  await session.stores.outbox.emit([event])
  await notifyWithoutDocument(session, event)
}

const SAVED = 'sessionSaved'

/** Whether anybody listens to the end of units of work, which then are transactions. */
export const isSessionSavedSubscribed = ({ listeners }: Pick<Session, 'listeners'>): boolean =>
  listeners.of(SAVED).length > 0

/** Notifies listeners that a unit of work has made all its changes, before it is committed. */
export const notifySessionSaved = async (session: Session): Promise<void> => {
  if (isSessionSavedSubscribed(session))
    await notifyWithoutDocument(session, { event: SAVED, documentId: null, payload: {} })
}

/** Writes events that come without another change, and notifies listeners. */
export const emit = async (
  session: Session,
  document: DocumentRecord,
  events: readonly CoreEvent[],
): Promise<DocumentRecord> => {
  await session.stores.outbox.emit(events)
  return notifyListeners(session, document, events)
}

/**
 * Changes a row that was read in this unit of work and writes its events, in one statement when nobody listens.
 *
 * @throws conflict (retryable) when the row is no longer the one that was read.
 */
export const changeDocument = async (
  session: Session,
  document: DocumentRecord,
  change: Omit<DocumentChange, 'id' | 'expectedSystemToken' | 'isUserChange'> & { isUserChange?: boolean },
  events: readonly CoreEvent[],
): Promise<DocumentRecord> => {
  if (events.some(({ event }) => session.listeners.of(event).length > 0)) requireAtomic(session)
  const changed = await session.stores.documents.update(
    { isUserChange: false, ...change, id: document.id, expectedSystemToken: document.systemToken },
    events,
  )
  if (!changed) throw staleDocument(document.id)
  return notifyListeners(session, changed, events)
}
