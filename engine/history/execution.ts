import type { Client } from '@temporalio/client'
import { fail } from '../../core/platform/errors/index.js'
import type { ChainRun } from '../../workflows/types.js'
import { argumentOf, type Event, type ExecutionId, eventsOf } from './events.js'

/** What a run was started with. @throws notFound for a run whose history is not kept any more. */
export const inputOf = (events: readonly Event[], workflowId: string): ChainRun => {
  const [{ workflowExecutionStartedEventAttributes: started } = {}] = events
  const run = argumentOf<ChainRun>(started?.input)
  if (!run) throw fail('notFound', `The history of the run ${workflowId} is not kept any more`)
  return run
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
  const run = inputOf(await eventsOf(client, { workflowId, runId }), workflowId)
  if (!run.plan) throw fail('conflict', `The run ${workflowId} failed before it began`)
  return run
}
