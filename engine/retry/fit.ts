import { type Client, type WorkflowHandle, WorkflowNotFoundError } from '@temporalio/client'
import { type PlanNode, requireFit } from '../../core/automation/planning/index.js'
import { type FailedAt, failedAt, hasBegun, isLoop, type Recorded } from '../../core/automation/runs/index.js'
import { fail } from '../../core/platform/errors/index.js'
import { progressOf } from '../describe/index.js'

/** A run that has failed, and the record of what it has done. */
export type FailedRun = Recorded & { client: Client }

/** @throws unavailable when no worker responds with its progress. */
const whereItFailed = async (handle: WorkflowHandle): Promise<FailedAt> => {
  const progress = await progressOf(handle)
  if (!progress)
    throw fail('unavailable', `No worker reports the progress of the run ${handle.workflowId}; try again`)
  return failedAt(progress)
}

const planOf = (node: PlanNode | undefined): readonly PlanNode[] | undefined =>
  node && node.kind !== 'segment' ? node.plan : undefined

/**
 * Checks whether a failed run, and its failed child run, may continue with other nodes.
 *
 * @returns the position at which it continues.
 * @throws conflict naming the step that does not fit.
 */
export const requireAllFit = async (
  failedRun: FailedRun,
  before: readonly PlanNode[],
  now: readonly PlanNode[],
): Promise<FailedAt> => {
  const { client, workflowId } = failedRun
  const failed = await whereItFailed(client.workflow.getHandle(workflowId))
  const { at, progress } = failed
  const node = before[at]
  requireFit(before, now, { at, hasBegun: await hasBegun(failedRun, node, at) })
  const [was, is] = [planOf(node), planOf(now[at])]
  if (!node || !was || !is) return failed
  const position = isLoop(node) ? `/${progress.loop?.position ?? 0}` : ''
  const child = `${workflowId}/${at}${position}`
  try {
    const { status } = await client.workflow.getHandle(child).describe()
    if (status.name === 'FAILED' || status.name === 'CANCELLED')
      await requireAllFit({ ...failedRun, workflowId: child }, was, is)
  } catch (error) {
    // It had not started.
    if (!(error instanceof WorkflowNotFoundError)) throw error
  }
  return failed
}
