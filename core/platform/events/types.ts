/** What an event may carry, and a JSON column may hold. */
export type JsonValue = null | string | number | boolean | JsonValue[] | { [field: string]: JsonValue }

/**
 * An event of the repository, written to the outbox in the transaction of its cause. Names are those of the
 * reference (workflow-audit.md §7): `documentCreated`, `documentModified`, `lifecycle_transition_event`, …
 */
export type CoreEvent = {
  event: string
  documentId: string | null
  payload: { [option: string]: JsonValue }
}

/**
 * Work done inside the transaction of what happens.
 *
 * @property isRollback whether its failure fails what it listens to. Else the failure is logged, what the
 *   listener wrote is undone, and the change goes on. A lost race always fails it, to be done again.
 * @template Session the session of the change; this room does not know more of it.
 * @template Event what a listener receives: the event, and what it is about.
 * @template Changes what a listener may ask for in return.
 */
export type Listener<Session, Event extends CoreEvent, Changes> = {
  name: string
  events: readonly string[]
  /** Lower ones come first, equal ones in order of registration; 0 when absent. */
  priority?: number
  isRollback?: boolean
  /**
   * @returns for `emptyDocumentModelCreated`, `aboutToCreate`, `aboutToImport` and `beforeDocumentModification`:
   *   properties to set with the change.
   */
  handle(session: Session, event: Event): Promise<Changes | undefined>
}

/** The listeners of a process, by event. */
export type Listeners<Session, Event extends CoreEvent, Changes> = {
  of(event: string): readonly Listener<Session, Event, Changes>[]
  /** Reports a failure that did not end the change. */
  onFailure(error: unknown, listener: { name: string }, event: CoreEvent): void
}

/** What a session must have for listeners to be called: who listens, and a savepoint around each of them. */
export type NotifyingSession = {
  isAtomic: boolean
  listeners: Listeners<never, never, unknown>
  /** Hands out what takes the place of the session's own inside the savepoint. */
  attempt<Result>(work: (inner: object) => Promise<Result>): Promise<Result>
}
