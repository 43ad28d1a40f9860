import type { Principal } from '../../access/security/index.js'
import type { RunContext, TargetCall } from '../execution/index.js'
import type { RetriedItems } from '../planning/index.js'

/** A step that calls its target for each of many items. */
export type LoopCall = TargetCall & {
  /** The list in a variable, the elements of the input, or the pages of the list that the input is a page of. */
  over: 'list' | 'input' | 'pages'
  /** Failed items of another run's iteration instead. */
  retries?: RetriedItems
}

/** Where an iteration is: the key of the run's step is that of its cursor. */
export type LoopPlace = { principal: Principal; run: RunContext; call: LoopCall; signal: AbortSignal }
