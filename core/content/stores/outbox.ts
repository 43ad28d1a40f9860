import type { CoreEvent } from '../../platform/events/index.js'

/** Events that are written with their cause, and relayed after its commit. */
export type Outbox = {
  emit(events: readonly CoreEvent[]): Promise<void>
}

/**
 * An event as it was written; its id is unique in its database.
 *
 * @property createdAt when its transaction began; `mark` the same, to compare with the marks of contributions.
 * @property depth how many runs, each started by an event of the one before, have led to it.
 */
export type RelayedEvent = CoreEvent & {
  id: number
  principal: string
  createdAt: Date
  mark: string
  depth: number
  /** Numbers the transaction in which it happened, in this database. */
  transaction: number
}

/**
 * Reads the outbox of one database in order, each event once for each name of a cursor.
 *
 * @template Transaction what writes in the transaction that moves the cursor; each backend has its own.
 */
export type OutboxRelay<Transaction> = {
  /**
   * Passes the next events on, and moves the cursor behind those that are done. One process at a time does so, and has
   * to be quick: its transaction ends when nothing comes of it for `idleSeconds`.
   *
   * @param work returns how many it has done, the first of them in order. What it writes in the transaction that it is
   *   given is committed together with the move.
   * @returns how many there were, fewer than `limit` where they are large too; 0 when another process is at it.
   */
  next(
    limit: number,
    work: (events: readonly RelayedEvent[], transaction: Transaction) => Promise<number>,
  ): Promise<number>
  /**
   * Moves the cursor behind everything that has happened before `hasNoSubscribers` is called, when that returns true.
   */
  skip(hasNoSubscribers: () => Promise<boolean>): Promise<void>
}

/**
 * How a reader is opened.
 *
 * @property idleSeconds after which whoever reads counts as dead.
 * @property isComplete whether a new cursor begins with the oldest event that is there; else with what happens from
 *   now on.
 */
export type OutboxRelayOptions = { idleSeconds?: number; isComplete?: boolean }
