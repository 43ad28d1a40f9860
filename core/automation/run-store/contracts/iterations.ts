import type { ItemFailure } from '../../language/index.js'
import type { PackedState } from '../state.js'
import type { StepKey } from './receipts.js'
/** An item of an iteration. */
export type ItemPlace = { key: StepKey; position: number }

/** How far an iteration has come. */
export type Cursor = {
  /** Items before it are done, or were skipped after a failure. */
  position: number
  total: number
  /** Items that failed. */
  failed: number
  /** The state in which it began; null for one that retries items of another one. */
  entered: PackedState | null
  /** The state that the last item has handed on; null where none has. */
  handedOn: PackedState | null
}

/** An iteration as a report describes it. */
export type StoredIteration = Pick<Cursor, 'position' | 'total' | 'failed'> & {
  step: string
  /** The first that failed, up to `KEPT_FAILURES`. */
  failures: readonly ItemFailure[]
  /** The item at which the iteration ended, while it stands there. */
  stopped: ItemFailure | null
  /** The document at its position, where items are runs of their own. */
  documentId: string | null
}

/** Which failed items, in order: those behind one position and up to another, or at some. */
export type FailureRange = {
  after?: number
  upTo?: number | undefined
  among?: readonly number[] | undefined
  limit: number
}

/** Cursors of iterations, and their failed items; both are written in the transactions of the items. */
export type Iterations = {
  /** Undefined for an iteration that has not begun. */
  cursor(key: StepKey): Promise<Cursor | undefined>
  /** False when it has begun. */
  begin(key: StepKey, iteration: Pick<Cursor, 'total' | 'entered'>): Promise<boolean>
  /**
   * Claims the item at a position for this transaction; false when another attempt has done it. The claim holds back
   * every other attempt until this transaction ends.
   */
  saveCursor(key: StepKey, position: number, outcome?: { hasFailed: boolean }): Promise<boolean>
  /** Notes the item at a position, which is a run of its own, and how many there are as far as is known now. */
  enterItem(key: StepKey, item: { position: number; total: number; documentId: string | null }): Promise<void>
  handOn(key: StepKey, state: PackedState): Promise<void>
  /** Notes the item at which an iteration ends that skips none. */
  stop(key: StepKey, failure: ItemFailure): Promise<void>
  /** The iterations of a run that have begun. */
  ofRun(workflowId: string): Promise<StoredIteration[]>
  addFailure(key: StepKey, failure: ItemFailure): Promise<void>
  /** Items that failed and were not done since. */
  failures(key: StepKey, range: FailureRange): Promise<ItemFailure[]>
  /** Positions of all of them, or of those among some, in order. */
  failedPositions(key: StepKey, among?: readonly number[]): Promise<number[]>
  /**
   * Claims a failed item for this transaction, which does it again; false when another one has. It is no failed item
   * once this is committed.
   */
  resolveFailure(key: StepKey, position: number): Promise<boolean>
  /** Replaces what is known of an item that has failed again. */
  renewFailure(key: StepKey, failure: ItemFailure): Promise<void>
}
