import {
  type Client,
  WorkflowFailedError,
  type WorkflowHandle,
  WorkflowNotFoundError,
} from '@temporalio/client'
import { type RunFailure, runFailureOf } from '../../core/automation/language/index.js'
import type { ChainProgress } from '../../core/automation/runs/index.js'
import { usingStorages } from '../../core/platform/telemetry/index.js'
import { runFailure } from '../failures/index.js'

/** How long a worker may take to answer how far a run is; the rest of its description does not need one. */
const QUERY_MS = 2_000

/** A run's own account of its progress; undefined when no worker is there to give it. */
export const progressOf = async (handle: WorkflowHandle): Promise<ChainProgress | undefined> => {
  try {
    return await usingStorages(() =>
      handle.client.withDeadline(Date.now() + QUERY_MS, () => handle.query<ChainProgress>('progress')),
    )
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) throw error
    return undefined
  }
}

/** What a failed run failed with, as its caller may know it. It may have been started again since. */
export const failureOf = async (
  client: Client,
  { workflowId, runId }: { workflowId: string; runId: string },
): Promise<RunFailure | undefined> => {
  try {
    await client.workflow.getHandle(workflowId, runId, { followRuns: false }).result()
    return undefined
  } catch (error) {
    if (!(error instanceof WorkflowFailedError)) throw error
    return runFailureOf(runFailure(error))
  }
}
