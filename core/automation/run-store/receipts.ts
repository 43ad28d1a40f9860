import type { PropertyValue } from '../../model/properties/index.js'
import type { LoopFailure } from '../language/index.js'
import type { PackedState } from './state.js'

/** Which segment of which run: stable over retries, and over continue-as-new. */
export type StepKey = {
  workflowId: string
  step: string
  /** The run has been here before: its receipt is looked for before the work, not after. */
  isRepeated?: boolean
}

/** A receipt that also tells which call it answers, so that a key cannot be used for another one. */
export type CallKey = StepKey & { fingerprint: string }

/** An element of a loop whose elements are runs of their own. */
export type ElementPlace = { key: StepKey; position: number }

export type LoopPosition = {
  position: number
  /** Elements that failed and were passed over. */
  failed: number
  variables: PropertyValue
}

/** A loop as operators are told of it. */
export type StoredLoop = Pick<LoopPosition, 'position' | 'failed'> & {
  step: string
  total: number
  /** The first that failed, up to `KEPT_FAILURES`. */
  failures: readonly LoopFailure[]
  /** The element at which a strict loop has ended; told while it stands there. */
  stopped: LoopFailure | null
  /** Its elements are runs of their own. */
  isWalk: boolean
  /** The document at its position, where they are. */
  documentId: string | null
}

/** A loop whose elements are runs of their own, when it comes to one of them. */
export type WalkPosition = {
  position: number
  total: number
  /** The document that the element is. */
  documentId?: string | undefined
}

/** Which failed elements of a loop: those behind a position, or at some; in order. */
export type FailureRange = { after?: number; among?: readonly number[] | undefined; limit: number }

/**
 * What makes effects happen exactly once: the record of a committed segment and the position of a loop,
 * both written in the transaction of the effects.
 */
export type Receipts = {
  find(key: StepKey): Promise<PropertyValue | undefined>
  /** False when the segment was committed by another attempt: the caller must not commit its own. */
  record(key: StepKey, result: PropertyValue): Promise<boolean>
  /** Where a loop of so many elements stands; makes its row when it begins. */
  loopPosition(key: StepKey, total: number): Promise<LoopPosition>
  /**
   * Claims the element at a position for this transaction; false when another attempt has done it. The
   * claim holds back every other attempt until this transaction ends.
   */
  advanceLoop(key: StepKey, from: number, outcome?: { failure?: LoopFailure }): Promise<boolean>
  /** Notes the element at which a loop ends that passes over none. */
  stopLoop(key: StepKey, failure: LoopFailure): Promise<void>
  /**
   * Notes that a loop whose elements are runs of their own has come to an element.
   *
   * @param entered the state with which the loop was entered: its row is made with the first element.
   */
  walkTo(key: StepKey, at: WalkPosition, entered: PackedState): Promise<void>
  /** Where such a loop stands, and how it was entered; undefined for one that has not begun. */
  walk(key: StepKey): Promise<{ position: number; entered: PackedState } | undefined>
  /** Notes that such a loop goes on after the run of an element that has failed. */
  passOver(key: StepKey, failure: LoopFailure): Promise<void>
  /** Notes how far a run has come that does failed elements of another one's loop again. */
  keepRepaired(
    key: StepKey,
    loop: Pick<LoopPosition, 'position' | 'failed'> & { total: number },
  ): Promise<void>
  /** Where the loops of a run stand; nothing is made for those that have not begun. */
  loops(workflowId: string): Promise<StoredLoop[]>
  /** Elements of a loop that failed and were not done since. */
  loopFailures(key: StepKey, range: FailureRange): Promise<LoopFailure[]>
  /** How many there are from a position on. */
  countFailures(key: StepKey, range: { from: number; among?: readonly number[] | undefined }): Promise<number>
  /**
   * Claims a failed element for this transaction, which does it again; false when another one has. The element
   * is no failed one any more once this is committed.
   */
  claimFailure(key: StepKey, position: number): Promise<boolean>
  /** Replaces what is known of an element that has failed again. */
  renewFailure(key: StepKey, failure: LoopFailure): Promise<void>
  keepLoopVariables(key: StepKey, variables: PropertyValue): Promise<void>
}
