import {
  continueAsNew,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow'
import type { ChainActivities, RunPlace, StepInput } from '../../activities/types.js'
import type { LoopReport } from '../../core/automation/loops/index.js'
import type { PackedState } from '../../core/automation/run-store/index.js'
import type { chain } from './chain.js'
import { showFailedItems } from './failed-items.js'
import { placeIn } from './place.js'
import { detailsOf, progressOf } from './progress.js'
import type { ChainRun, Cursor } from './types.js'

/** Infrastructure comes back; the caller's mistakes are marked as not retryable where they are thrown. */
const RETRY = { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '10s' } as const

/** Work of milliseconds to seconds: runs inside the workflow task, without a trip to the queue. */
const SHORT = { startToCloseTimeout: '5 minutes', retry: RETRY } as const

/** Conversions and the like: a queue slot, heartbeats, a way to cancel. */
const LONG = { startToCloseTimeout: '6 hours', heartbeatTimeout: '30s', retry: RETRY } as const

/** A page of a loop: a worker that is lost holds it up no longer than a lost workflow task would. */
const PAGE = { startToCloseTimeout: '6 hours', heartbeatTimeout: '10s', retry: RETRY } as const

/** A run with the index of the node that it is at. */
export type Run = ChainRun & { current: number }

/** The node at which a run is, and the item of it whose run has ended last. */
export type Position = Cursor

/** A run that was reset, or goes on in a new history, has another id than the one that began. */
export const mayBeRepeated = (run: Run): boolean =>
  run.isRepeated === true || workflowInfo().runId !== workflowInfo().firstExecutionRunId

export const placeOf = (run: ChainRun): RunPlace =>
  placeIn(run, { isFirst: workflowInfo().runId === workflowInfo().firstExecutionRunId })

export const stepInput = (run: Run, step: string, state: PackedState): StepInput => ({
  workflowId: workflowInfo().workflowId,
  step,
  principal: run.principal,
  requestId: run.requestId,
  ...placeOf(run),
  ...(mayBeRepeated(run) && { isRepeated: true }),
  ...(run.plan.seconds !== undefined && { seconds: run.plan.seconds }),
  state,
  chains: run.plan.chains,
})

export const shortActivities = (summary: string) =>
  proxyLocalActivities<ChainActivities>({ ...SHORT, summary })
export const longActivities = (summary: string) => proxyActivities<ChainActivities>({ ...LONG, summary })
export const pageActivities = (summary: string) => proxyActivities<ChainActivities>({ ...PAGE, summary })

/** Shows queries and the operator how far the run is; nothing but failed items is written to the history. */
export const showProgress = (
  run: Run,
  { current = run.current, loop }: { current?: number; loop?: LoopReport },
): void => {
  run.current = current
  if (loop) {
    run.loops = { ...run.loops, [current]: loop }
    showFailedItems(Object.values(run.loops).reduce((sum, { failed }) => sum + failed, 0))
  }
  setCurrentDetails(detailsOf(progressOf(run, current)))
}

/** Begins a new history at a position. Loops know their item by their cursor in the database. */
export const continueRun = (
  { current: _, ...run }: Run,
  cursor: Position,
  state: PackedState,
): Promise<never> => continueAsNew<typeof chain>({ ...run, state, cursor })
