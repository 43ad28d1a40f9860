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

/** Timeout of the progress query to a worker, milliseconds; the rest of a description needs none. */
const QUERY_MS = 2_000

/** The progress of a run, by its query; undefined when no worker responds. */
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

/** The public error of a failed run, which may have been retried since. */
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
