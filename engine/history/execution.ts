import type { Client } from '@temporalio/client'
import type { StepInput } from '../../activities/types.js'
import type { LoopCall, LoopPage } from '../../core/automation/loops/index.js'
import type { PackedState } from '../../core/automation/run-store/index.js'
import type { EnteredLoop } from '../../core/automation/runs/index.js'
import { fail } from '../../core/platform/errors/index.js'
import type { ChainRun } from '../../workflows/types.js'
import { argumentOf, type Event, type ExecutionId, eventsOf } from './events.js'

type PageInput = StepInput & { call: LoopCall }

const PAGE = 'runLoopPage'

/** @throws notFound for a run whose history is no longer stored. */
const startOf = (events: readonly Event[], workflowId: string) => {
  const [{ workflowExecutionStartedEventAttributes: started } = {}] = events
  const run = argumentOf<ChainRun>(started?.input)
  if (!run) throw fail('notFound', `The history of the run ${workflowId} is no longer stored`)
  return { run, before: started?.continuedExecutionRunId ?? '' }
}

/** The input of a run. @throws notFound for a run whose history is no longer stored. */
export const inputOf = (events: readonly Event[], workflowId: string): ChainRun =>
  startOf(events, workflowId).run

/** The loops that an execution has entered, by node: the first page of each knows its state. */
const enteredIn = (events: readonly Event[]): Map<string, EnteredLoop> => {
  const entered = new Map<string, EnteredLoop>()
  for (const { activityTaskScheduledEventAttributes: scheduled } of events) {
    if (scheduled?.activityType?.name !== PAGE) continue
    const page = argumentOf<PageInput>(scheduled.input)
    if (page && !entered.has(page.step)) entered.set(page.step, page)
  }
  return entered
}

/**
 * What the last execution of a run was started with, and the loops that the run has entered in any of its executions.
 *
 * @throws notFound for a run whose history is no longer stored.
 */
export const enteredLoops = async (
  client: Client,
  { workflowId, runId }: ExecutionId,
): Promise<{ run: ChainRun; entered: ReadonlyMap<string, EnteredLoop> }> => {
  const events = await eventsOf(client, { workflowId, runId })
  const last = startOf(events, workflowId)
  const entered = enteredIn(events)
  let { before } = last
  while (before !== '') {
    const earlier = await eventsOf(client, { workflowId, runId: before })
    before = startOf(earlier, workflowId).before
    for (const [step, loop] of enteredIn(earlier)) entered.set(step, loop)
  }
  return { run: last.run, entered }
}

/** The last execution of a run that has ended: with what it began, and the states after the loops that it was past. */
export type LastExecution = { run: ChainRun; afterLoops: ReadonlyMap<string, PackedState> }

/** @throws notFound for a run whose history is no longer stored; conflict for one that failed before it began. */
export const lastExecution = async (
  client: Client,
  { workflowId, runId }: ExecutionId,
): Promise<LastExecution> => {
  const events = await eventsOf(client, { workflowId, runId })
  const run = inputOf(events, workflowId)
  if (!run.plan) throw fail('conflict', `The run ${workflowId} failed before it began`)
  const afterLoops = new Map<string, PackedState>()
  for (const { activityTaskCompletedEventAttributes: completed } of events) {
    if (!completed) continue
    const scheduled = events.find(({ eventId }) => String(eventId) === String(completed.scheduledEventId))
    const begun = scheduled?.activityTaskScheduledEventAttributes
    if (begun?.activityType?.name !== PAGE) continue
    const [page, done] = [argumentOf<PageInput>(begun.input), argumentOf<LoopPage>(completed.result)]
    if (page && done?.isDone) afterLoops.set(page.step, done.state)
  }
  return { run, afterLoops }
}
