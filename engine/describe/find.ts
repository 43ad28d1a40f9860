import {
  type Client,
  type WorkflowExecutionDescription,
  type WorkflowHandle,
  WorkflowNotFoundError,
} from '@temporalio/client'
import type { Principal } from '../../core/access/security/index.js'
import { noRun, requireVisible } from '../../core/automation/runs/index.js'
import { fail } from '../../core/platform/errors/index.js'
import { readable, type Temporal } from '../client/index.js'
import { ownerOf, unreadable } from './describe.js'
import { BULK, CHAIN_TYPES } from './kinds.js'

const RUN_TYPES = new Set([...CHAIN_TYPES, BULK])

/**
 * A run of a chain or a bulk command that the principal may see.
 *
 * @returns of a run that is encrypted with a missing key, what is known all the same.
 * @throws notFound for a run that is unknown, or belongs to another user or to another installation in the namespace.
 */
export const findRun = async (
  { client, taskQueue }: Temporal,
  workflowId: string,
  principal: Principal,
): Promise<{ handle: WorkflowHandle; description: WorkflowExecutionDescription }> => {
  const handle: WorkflowHandle = client.workflow.getHandle(workflowId)
  try {
    const description = await readable(client, ({ workflow }) => workflow.getHandle(workflowId).describe())
    requireVisible({ id: workflowId, owner: ownerOf(description) }, principal)
    // Conversions have routes and queries of their own.
    if (!RUN_TYPES.has(description.type) || description.taskQueue !== taskQueue)
      throw fail('notFound', noRun(workflowId))
    return { handle, description }
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) throw fail('notFound', noRun(workflowId))
    throw error
  }
}

/** @throws operationFailed for a run of which not all can be read, for want of a key. */
export const requireReadable = (description: WorkflowExecutionDescription): void => {
  const reason = unreadable(description)
  if (reason !== undefined) throw fail('operationFailed', reason)
}

/**
 * The run of a chain.
 *
 * @throws notFound for a bulk command, too: it is retried by way of its row; operationFailed where a key is missing.
 */
export const findChainRun = async (
  temporal: Temporal,
  workflowId: string,
  principal: Principal,
): Promise<{ handle: WorkflowHandle; description: WorkflowExecutionDescription }> => {
  const found = await findRun(temporal, workflowId, principal)
  if (found.description.type === BULK) throw fail('notFound', noRun(workflowId))
  requireReadable(found.description)
  return found
}

/** The status of a workflow; undefined when its history is deleted. */
export const statusOf = async (client: Client, workflowId: string): Promise<string | undefined> => {
  try {
    const { status } = await readable(client, ({ workflow }) => workflow.getHandle(workflowId).describe())
    return status.name
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return undefined
    throw error
  }
}
