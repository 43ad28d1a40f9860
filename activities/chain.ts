import { Context } from '@temporalio/activity'
import type { Principal } from '../core/access/security/index.js'
import {
  catchFailure,
  enterTarget,
  leaveTarget,
  type RunContext,
  runApart,
  runSegment,
  runTarget,
  type SegmentDependencies,
  withinTimeLimit,
} from '../core/automation/execution/index.js'
import { nextItem, resolveFailure, runLoopPage } from '../core/automation/loops/index.js'
import type { PackedState } from '../core/automation/run-store/index.js'
import { fail } from '../core/platform/errors/index.js'
import { endTimeouts, type FailureOf, failing } from './failure.js'
import { endingLostAttempts } from './lost-attempts.js'
import type { StepSlots } from './step-slots.js'
import type { ChainActivities, RunPlace, StepInput } from './types.js'

/** Called for each attempt of a segment: the state that it has committed, or nothing when it has failed. */
export type SegmentListener = (workflowId: string, state: PackedState | undefined) => void

export type ChainActivityDependencies = {
  /** Created for each call, so that a step sees the operations and chains of its moment. */
  segments(place: RunPlace): Promise<SegmentDependencies>
  principal(name: string): Promise<Principal | undefined>
  /** Waits for the end of a run, and returns how it stands: see `ChainActivities`. */
  awaitRun(workflowId: string): Promise<string>
  failureOf: FailureOf
  onSegment?: SegmentListener | undefined
  slots: StepSlots
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
  awaitRun,
  failureOf,
  onSegment,
  slots,
}: ChainActivityDependencies): ChainActivities => {
  /** Runs work for the run's principal, within the time of an attempt. */
  const acting = async <Result>(
    input: StepInput,
    work: (acted: { principal: Principal; run: RunContext; signal: AbortSignal }) => Promise<Result>,
  ): Promise<Result> => {
    const found = await principal(input.principal)
    if (!found) throw fail('forbidden', `User ${input.principal} does not exist or is disabled`)
    const { info, cancellationSignal } = Context.current()
    const left = Math.min(info.startToCloseTimeoutMs - LAST_MS, (input.endsAt ?? Infinity) - Date.now())
    const seconds = Math.min(left / 1000, input.seconds ?? Infinity)
    return slots.within({ principal: found, isLocal: info.isLocal }, () =>
      endTimeouts({ attempt: info.attempt, failureOf }, () =>
        withinTimeLimit({ signal: cancellationSignal, seconds }, (signal) =>
          work({ principal: found, run: runContext(input), signal }),
        ),
      ),
    )
  }

  const notifying = async (workflowId: string, work: () => Promise<PackedState>): Promise<PackedState> => {
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
        notifying(input.workflowId, () =>
          endingLostAttempts(() =>
            acting(input, async (acted) => {
              const { steps, onError, input: given, endsOnFalse, isApart } = input
              const call = { ...acted, steps, onError, input: given, endsOnFalse }
              const run = isApart ? runApart : runSegment
              return run(await segments(input), call)
            }),
          ),
        ),
      ),
    catchFailure: (input) =>
      failing(() =>
        endingLostAttempts(() =>
          acting(input, async (acted) => {
            const { onError, failure } = input
            const call = { ...acted, onError, failure }
            return (await catchFailure(await segments(input), call)) ?? null
          }),
        ),
      ),
    runTarget: (input) =>
      failing(() =>
        endingLostAttempts(() =>
          acting(input, async (acted) => runTarget(await segments(input), { ...acted, call: input.call })),
        ),
      ),
    enterTarget: (input) =>
      failing(() =>
        acting(input, async (acted) => {
          const { call, leaving } = input
          return enterTarget(await segments(input), { ...acted, call, leaving })
        }),
      ),
    leaveTarget: (input) =>
      failing(() =>
        acting(input, async (acted) =>
          leaveTarget(await segments(input), {
            ...acted,
            call: input.call,
            inner: input.inner,
            isolate: input.isolate,
            failure: input.failure,
          }),
        ),
      ),
    runLoopPage: (input) =>
      failing(() =>
        endingLostAttempts((report) =>
          acting(input, async (acted) =>
            runLoopPage(await segments(input), { ...acted, call: input.call, report }),
          ),
        ),
      ),
    nextItem: (input) =>
      failing(() =>
        acting(input, async (acted) => {
          const { call, ended } = input
          return nextItem(await segments(input), { ...acted, call, ended })
        }),
      ),
    resolveFailure: (input) =>
      failing(() =>
        acting(input, async ({ principal: by }) =>
          resolveFailure(await segments(input), { principal: by, item: input.item }),
        ),
      ),
    awaitRun: ({ workflowId }) => awaitRun(workflowId),
  }
}
