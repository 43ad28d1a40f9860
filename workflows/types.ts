import type { LoopFailure } from '../core/automation/language/index.js'
import type { RunStart } from '../core/automation/planning/index.js'
import type { ElementPlace, PackedState } from '../core/automation/run-store/index.js'
/** Input of the workflow `chain`: everything that the run will ever know of its chain and its caller. */
export type ChainRun = RunStart & {
  /** Its parent has been here before, and so may it have been. */
  isRepeated?: boolean
  /** The element that it is, of the run above it. Absent: it is none. */
  element?: ElementPlace
  /** When it is to be over, ms since 1970: set by a step that gives its target a time. */
  endsAt?: number
  /** Where to go on; set only when the run continues as new. */
  cursor?: Cursor
  /** How far the loops before that came, by the index of their node; set with the cursor. */
  loops?: LoopReports
}

export type Cursor = { node: number; element: number }

export type ChainResult = { state: PackedState }

export type LoopReport = {
  position: number
  total: number
  /** All elements that failed; the first of them are in `failures`. */
  failed: number
  failures: readonly LoopFailure[]
}

export type LoopReports = { readonly [node: number]: LoopReport }

export type NodeProgress = {
  title: string
  kind: string
  status: 'waiting' | 'running' | 'done'
  /** How far a loop has come, once it was entered. */
  loop?: LoopReport
}

/** Answer of the query `progress`. */
export type ChainProgress = {
  chainId: string
  nodes: readonly NodeProgress[]
  /** The loop of the node that is running. */
  loop?: LoopReport
}

/** Input of the workflows `scheduledChain` and `scheduledEvent`. */
export type ScheduledTime = {
  /** Name of the schedule. */
  schedule: string
  /** What tells one definition of it from another; nothing to the workflow. */
  revision: string
}
