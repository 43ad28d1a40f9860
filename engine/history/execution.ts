import type { Client } from '@temporalio/client'
import type { BoundToStart, MayBeUnsigned } from '../../core/automation/run-store/index.js'
import { fail } from '../../core/platform/errors/index.js'
import type { ChainRun } from '../../workflows/chain/types.js'
import { argumentOf, type Event, type ExecutionId, eventsOf } from './events.js'

/**
 * What a run was started with.
 *
 * @throws notFound for a run whose history is not kept any more; forbidden for one that others have started, which
 * must not get a signature by being started again.
 */
export const inputOf = async <Input extends object = ChainRun>(
  client: Client,
  events: readonly Event[],
  { workflowId, workflow = 'chain' }: { workflowId: string; workflow?: string },
): Promise<Input> => {
  const [{ eventTime, workflowExecutionStartedEventAttributes: started } = {}] = events
  const run = await argumentOf<Input & MayBeUnsigned & BoundToStart>(client, started?.input, workflowId)
  if (!run) throw fail('notFound', `The history of the run ${workflowId} is not kept any more`)
  const { archivoltUnsignedUntil: until, archivoltStart: start, ...input } = run
  const startedAt = Number(eventTime?.seconds ?? Infinity) * 1000
  const isUnsigned = until !== undefined && startedAt >= until
  const isForAnother = start && (start.workflow !== workflow || startedAt > start.until)
  if (isUnsigned || isForAnother)
    throw fail('forbidden', `The start of the run ${workflowId} is not signed by this installation`)
  // Without what it was signed with it is what the run was given.
  return input as unknown as Input
}

/**
 * What the last execution of a run that has ended was started with.
 *
 * @throws notFound for a run whose history is not kept any more; conflict for one that failed before it began.
 */
export const lastExecution = async (
  client: Client,
  { workflowId, runId }: ExecutionId,
): Promise<ChainRun> => {
  const run = await inputOf(client, await eventsOf(client, { workflowId, runId }), { workflowId })
  if (!run.plan) throw fail('conflict', `The run ${workflowId} failed before it began`)
  return run
}
