import type { DocumentRecord, Properties, PropertyValue } from '../documents/types.js'

/**
 * An event of the repository, written to the outbox in the transaction of its cause. Names are those of the
 * reference (workflow-audit.md §7): `documentCreated`, `documentModified`, `lifecycle_transition_event`, …
 */
export type CoreEvent = {
  event: string
  documentId: string | null
  payload: { [option: string]: PropertyValue }
}

/** What a listener is told. */
export type ListenedEvent = CoreEvent & {
  /**
   * The document as it is: before the change in events that announce one (`aboutTo…`, `before…`), with the
   * properties that it is about to have, and after the change in all others. Null for what is about no document:
   * `sessionSaved`, and events that somebody fires without one.
   */
  document: DocumentRecord | null
}

/**
 * Work done inside the transaction of what happens.
 *
 * @property isRollback whether its failure fails what it listens to. Else the failure is logged, what the
 *   listener wrote is undone, and the change goes on. A lost race always fails it, to be done again.
 * @template Session the session of the change; the events' room does not know more of it.
 */
export type Listener<Session> = {
  name: string
  events: readonly string[]
  /** Lower ones come first, equal ones in order of registration; 0 when absent. */
  priority?: number
  isRollback?: boolean
  /**
   * @returns for `emptyDocumentModelCreated`, `aboutToCreate`, `aboutToImport` and `beforeDocumentModification`:
   *   properties to set with the change.
   */
  handle(session: Session, event: ListenedEvent): Promise<Properties | undefined>
}

/** The listeners of a process, by event. */
export type Listeners<Session> = {
  of(event: string): readonly Listener<Session>[]
  /** Told of failures that are passed over. */
  onFailure(error: unknown, listener: { name: string }, event: CoreEvent): void
}
