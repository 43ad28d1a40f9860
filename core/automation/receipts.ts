import type { PropertyValue } from '../documents/index.js'

/** Which segment of which run: stable over retries, and over continue-as-new. */
export type StepKey = {
  workflowId: string
  step: string
  /** The run has been here before: its receipt is looked for before the work, not after. */
  isRepeated?: boolean
}

export type LoopFailure = { position: number; status: number; message: string }

/** Failures that a loop remembers one by one; beyond them it counts, so that a report stays small. */
export const KEPT_FAILURES = 1_000

/** Characters of the message of each: all failures of a loop travel in one payload, of which Temporal takes 2 MB. */
export const KEPT_MESSAGE = 500

export type LoopPosition = {
  position: number
  /** Elements that failed. */
  failed: number
  /** The first of them, up to `KEPT_FAILURES`. */
  failures: readonly LoopFailure[]
  variables: PropertyValue
}

/**
 * What makes effects happen exactly once: the record of a committed segment and the position of a loop,
 * both written in the transaction of the effects.
 */
export type Receipts = {
  find(key: StepKey): Promise<PropertyValue | undefined>
  /** False when the segment was committed by another attempt: the caller must not commit its own. */
  record(key: StepKey, result: PropertyValue): Promise<boolean>
  /** Where a loop stands; makes its row when it begins. */
  loopPosition(key: StepKey): Promise<LoopPosition>
  /**
   * Claims the element at a position for this transaction; false when another attempt has done it. The
   * claim holds back every other attempt until this transaction ends.
   */
  advanceLoop(key: StepKey, from: number, outcome?: { failure?: LoopFailure }): Promise<boolean>
  /** Where the loops of a run stand; nothing is made for those that have not begun. */
  loops(
    workflowId: string,
  ): Promise<{ step: string; position: number; failed: number; failures: readonly LoopFailure[] }[]>
  /**
   * Claims a failed element for this transaction, which does it again; false when another one has. The element
   * is no failed one any more once this is committed.
   */
  claimFailure(key: StepKey, position: number): Promise<boolean>
  /** Replaces what is known of an element that has failed again. */
  renewFailure(key: StepKey, failure: LoopFailure): Promise<void>
  keepLoopVariables(key: StepKey, variables: PropertyValue): Promise<void>
}
