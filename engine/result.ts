import { WorkflowFailedError } from '@temporalio/client'
import type { Principal } from '../core/access/security/index.js'
import { type PackedState, type RunState, unpackState } from '../core/automation/run-store/index.js'
import { fail } from '../core/platform/errors/index.js'
import type { ChainResult } from '../workflows/chain/types.js'
import type { RunsContext } from './context.js'
import { runFailure } from './failures/index.js'

/** @throws notFound for a bulk command, which has no output. */
const stateOf = (workflowId: string, result: Partial<ChainResult>): PackedState => {
  if (result.state && typeof result.state === 'object') return result.state
  throw fail('notFound', `The run ${workflowId} has no result; read the status of its bulk command instead`)
}

/** Waits for a run's end. @throws what the run failed with. */
export const resultOf = async (
  { client, embedded: embeddedWorker, units, quota }: RunsContext,
  workflowId: string,
  principal: Principal,
): Promise<RunState> => {
  try {
    const embedded = embeddedWorker()
    const state =
      (await embedded?.handovers.take(workflowId)) ??
      stateOf(workflowId, await (embedded?.client ?? client).workflow.getHandle(workflowId).result())
    return await unpackState(units.reading(principal).transient, state)
  } catch (error) {
    if (error instanceof WorkflowFailedError) throw runFailure(error)
    throw error
  } finally {
    quota?.leave(principal, workflowId)
  }
}
