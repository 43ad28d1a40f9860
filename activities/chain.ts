import { Context } from '@temporalio/activity'
import {
  catchFailure,
  collectElements,
  enterElement,
  enterTarget,
  leaveElement,
  leaveTarget,
  type PackedState,
  type RunContext,
  repairLoop,
  runLoopPage,
  runSegment,
  runTarget,
  type SegmentDependencies,
  withTimeLimit,
} from '../core/automation/index.js'
import { fail } from '../core/errors/index.js'
import type { Principal } from '../core/security/index.js'
import { failing } from './failure.js'
import { withHeartbeat } from './heartbeat.js'
import type { ChainActivities, RunPlace, StepInput } from './types.js'

/** Told of each attempt of a segment: the state that it has committed, or nothing when it has failed. */
export type SegmentListener = (workflowId: string, state: PackedState | undefined) => void

export type ChainActivityDependencies = {
  /** Made anew for each call, so that a step sees the operations and chains of its moment. */
  segments(place: RunPlace): Promise<SegmentDependencies>
  principal(name: string): Promise<Principal | undefined>
  onSegment?: SegmentListener | undefined
}

/**
 * Before an attempt times out. What lasts that long is stopped by ourselves, with an error that is final:
 * a timeout would be tried again, and last as long, for ever.
 */
const LAST_MS = 15_000

const runContext = ({ workflowId, step, isRepeated = false, state, chains }: StepInput): RunContext => ({
  key: { workflowId, step, isRepeated },
  state,
  chains,
})

/** The activities of the workflow `chain`: thin, each one call of the core for the run's principal. */
export const createChainActivities = ({
  segments,
  principal,
  onSegment,
}: ChainActivityDependencies): ChainActivities => {
  const acting = async (input: StepInput) => {
    const found = await principal(input.principal)
    if (!found) throw fail('forbidden', `User ${input.principal} does not exist or is disabled`)
    const { info, cancellationSignal } = Context.current()
    const signal = withTimeLimit(cancellationSignal, (info.startToCloseTimeoutMs - LAST_MS) / 1000)
    return { principal: found, run: runContext(input), signal }
  }

  const telling = async (workflowId: string, work: () => Promise<PackedState>): Promise<PackedState> => {
    try {
      const state = await work()
      onSegment?.(workflowId, state)
      return state
    } catch (error) {
      onSegment?.(workflowId, undefined)
      throw error
    }
  }

  return {
    runSegment: (input) =>
      failing(() =>
        telling(input.workflowId, async () => {
          const call = { ...(await acting(input)), steps: input.steps, onError: input.onError }
          return withHeartbeat(async () => runSegment(await segments(input), call))
        }),
      ),
    catchFailure: (input) =>
      failing(async () => {
        const { onError, failure } = input
        const call = { ...(await acting(input)), onError, failure }
        return withHeartbeat(async () => (await catchFailure(await segments(input), call)) ?? null)
      }),
    runTarget: (input) =>
      failing(async () => {
        const call = { ...(await acting(input)), call: input.call }
        return withHeartbeat(async () => runTarget(await segments(input), call))
      }),
    enterTarget: (input) =>
      failing(async () => enterTarget(await segments(input), { ...(await acting(input)), call: input.call })),
    leaveTarget: (input) =>
      failing(async () =>
        leaveTarget(await segments(input), {
          ...(await acting(input)),
          call: input.call,
          inner: input.inner,
        }),
      ),
    runLoopPage: (input) =>
      failing(async () => {
        const call = { ...(await acting(input)), call: input.call }
        return withHeartbeat(async (report) => runLoopPage(await segments(input), { ...call, report }))
      }),
    repairLoop: (input) =>
      failing(async () => {
        const { key, state, positions } = input.repairs
        const acted = await acting(input)
        const call = { ...acted, run: { ...acted.run, key, state }, call: input.call, positions }
        return withHeartbeat(async (report) => repairLoop(await segments(input), { ...call, report }))
      }),
    enterElement: (input) =>
      failing(async () => {
        const { call, node, element } = input
        return enterElement(await segments(input), { ...(await acting(input)), call, node, element })
      }),
    leaveElement: (input) =>
      failing(async () => {
        const { call, node, element, inner } = input
        return leaveElement(await segments(input), { ...(await acting(input)), call, node, element, inner })
      }),
    collectElements: (input) =>
      failing(async () => {
        const call = { ...(await acting(input)), call: input.call, node: input.node }
        return withHeartbeat(async () => collectElements(await segments(input), call))
      }),
  }
}
