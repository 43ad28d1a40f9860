import { Context } from '@temporalio/activity'
import {
  enterElement,
  enterTarget,
  leaveTarget,
  type RunContext,
  runLoopPage,
  runSegment,
  runTarget,
  type SegmentDependencies,
} from '../core/automation/index.js'
import { fail } from '../core/errors/index.js'
import type { Principal } from '../core/security/index.js'
import { toFailure } from './failure.js'
import type { ChainActivities, StepInput } from './types.js'

export type ChainActivityDependencies = {
  /** Made anew for each call, so that a step sees the operations and chains of its moment. */
  segments(): SegmentDependencies
  principal(name: string): Promise<Principal | undefined>
}

/** Between two heartbeats; the server's own limit is longer. */
const HEARTBEAT_MS = 5_000

/** Runs work with heartbeats of its latest report, so that a lost worker is noticed and a cancellation arrives. */
const withHeartbeat = async <Result>(
  work: (report: (details: unknown) => void) => Promise<Result>,
): Promise<Result> => {
  const context = Context.current()
  let latest: unknown
  const timer = setInterval(() => context.heartbeat(latest), HEARTBEAT_MS)
  try {
    return await work((details) => {
      latest = details
    })
  } finally {
    clearInterval(timer)
  }
}

const runContext = ({ workflowId, step, state, chains }: StepInput): RunContext => ({
  key: { workflowId, step },
  state,
  chains,
})

/** The activities of the workflow `chain`: thin, each one call of the core for the run's principal. */
export const createChainActivities = ({
  segments,
  principal,
}: ChainActivityDependencies): ChainActivities => {
  const acting = async (input: StepInput) => {
    const found = await principal(input.principal)
    if (!found) throw fail('forbidden', `User ${input.principal} does not exist or is disabled`)
    return { principal: found, run: runContext(input), signal: Context.current().cancellationSignal }
  }

  /** Every error leaves in the form in which Temporal knows whether to try again. */
  const failing = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work()
    } catch (error) {
      throw toFailure(error)
    }
  }

  return {
    runSegment: (input) =>
      failing(async () => {
        const call = { ...(await acting(input)), steps: input.steps }
        return withHeartbeat(() => runSegment(segments(), call))
      }),
    runTarget: (input) =>
      failing(async () => {
        const call = { ...(await acting(input)), call: input.call }
        return withHeartbeat(() => runTarget(segments(), call))
      }),
    enterTarget: (input) =>
      failing(async () => enterTarget(segments(), { ...(await acting(input)), call: input.call })),
    leaveTarget: (input) =>
      failing(async () =>
        leaveTarget(segments(), { ...(await acting(input)), call: input.call, inner: input.inner }),
      ),
    runLoopPage: (input) =>
      failing(async () => {
        const call = { ...(await acting(input)), call: input.call }
        return withHeartbeat((report) => runLoopPage(segments(), { ...call, report }))
      }),
    enterElement: (input) =>
      failing(async () =>
        enterElement(segments(), { ...(await acting(input)), call: input.call, element: input.element }),
      ),
  }
}
