import type { PropertyValue } from '../../../model/properties/index.js'

/** Which step of which run: stable over retries, and over continue-as-new. */
export type StepKey = {
  workflowId: string
  step: string
  /** The run has been here before: its receipt is looked for before the work, not after. */
  isRepeated?: boolean
}

/** A receipt that also says which call it answers, so that a key cannot be used for another one. */
export type CallKey = StepKey & { fingerprint: string }

/** What makes effects happen exactly once: the record of a step, written in the transaction of its effects. */
export type Receipts = {
  find(key: StepKey): Promise<PropertyValue | undefined>
  /** False when the step was committed by another attempt: the caller must not commit its own. */
  record(key: StepKey, result: PropertyValue): Promise<boolean>
  /** The same for several steps in one statement. False when another attempt has committed any of them. */
  recordAll(receipts: readonly { key: StepKey; result: PropertyValue }[]): Promise<boolean>
  /** The results of the items of an iteration (`{step}/{position}`), in order. */
  ofItems(key: StepKey): Promise<PropertyValue[]>
}
