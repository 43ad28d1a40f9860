import type { EndedItem } from '../../core/automation/loops/index.js'
import type { RunStart } from '../../core/automation/planning/index.js'
import type { ItemPlace, PackedState } from '../../core/automation/run-store/index.js'
import type { LoopReports } from '../../core/automation/runs/index.js'

export type { ChainProgress, NodeProgress } from '../../core/automation/runs/index.js'

/** Input of the workflow `chain`: everything that the run will ever know of its chain and its caller. */
export type ChainRun = RunStart & {
  /** Its parent has been here before, and so may it have been. */
  isRepeated?: boolean
  /** The item that it is, of the run above it. Absent: it is none. */
  item?: ItemPlace
  /** When it is to be over, ms since 1970: set by a step that gives its target a time. */
  endsAt?: number
  /** Where to go on; set only when the run continues as new. */
  cursor?: Cursor
  /** How far the loops before that came, by the index of their node; set with the cursor. */
  loops?: LoopReports
}

export type Cursor = {
  node: number
  /** The item of that node whose run has ended last. */
  ended?: EndedItem
}

export type ChainResult = { state: PackedState }

/** Input of the workflows `scheduledChain` and `scheduledEvent`. */
export type ScheduledTime = {
  /** Name of the schedule. */
  schedule: string
  /** Differs from one definition of it to another; nothing to the workflow. */
  revision: string
}

/** Input of the workflow `route`. */
export type RouteRun = {
  routeId: string
  /** Absent: the default one. */
  repository?: string
  /** It goes on in a new history. */
  isFollowed?: boolean
}
