import type { Principal } from '../core/access/security/index.js'
import { fail } from '../core/platform/errors/index.js'
import type { RunsContext } from './context.js'
import { findRun } from './describe/index.js'

/** @throws notFound for a run that is unknown, belongs to another user, or has ended. */
export const cancelRun = async (
  context: RunsContext,
  workflowId: string,
  principal: Principal,
): Promise<void> => {
  const { handle, description } = await findRun(context, workflowId, principal)
  if (description.status.name !== 'RUNNING') throw fail('notFound', `The run ${workflowId} has ended already`)
  await handle.cancel()
}
