import type { DocumentRecord, Properties } from '../../model/properties/index.js'
import type { CoreEvent, Listener, Listeners } from '../../platform/events/index.js'
import type { Session } from './session.js'

/** What a listener receives. */
export type ListenedEvent = CoreEvent & {
  /**
   * The document as it is: before the change in events that announce one (`aboutTo…`, `before…`), with the
   * properties that it is about to have, and after the change in all others. Null for what is about no document:
   * `sessionSaved`, and events that are fired without one.
   */
  document: DocumentRecord | null
}

/** Work done inside the transaction of what happens to a document, or to none; it may set properties with the change. */
export type DocumentListener = Listener<Session, ListenedEvent, Properties>

/** The listeners of a process, by event. */
export type DocumentListeners = Listeners<Session, ListenedEvent, Properties>

/** The others. What listens does not handle the events of what it does itself: it would go round for ever. */
export const withoutListener = (listeners: DocumentListeners, name: string): DocumentListeners => ({
  ...listeners,
  of: (event) => listeners.of(event).filter((listener) => listener.name !== name),
})
