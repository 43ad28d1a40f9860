import type { Principal } from '../core/access/security/index.js'
import {
  type FailedItemsPage,
  failedAgain,
  failedAgainSoFar,
  failedItems,
  type ItemsPage,
  retriedLoops,
} from '../core/automation/runs/index.js'
import type { RunsContext } from './context.js'
import { findChainRun, progressOf, repairsOf } from './describe/index.js'
import { eventsOf, inputOf } from './history/index.js'

/** Failed items of a run's loops: those of a run that has retried some are the ones that failed again. */
export const itemsOf = async (
  context: RunsContext,
  { workflowId, principal }: { workflowId: string; principal: Principal },
  page: ItemsPage,
): Promise<FailedItemsPage> => {
  const { client, units } = context
  const { handle, description } = await findChainRun(context, workflowId, principal)
  const { iterations } = units.reading(principal)
  if (repairsOf(description) === undefined) return failedItems(iterations, workflowId, page)
  if (description.status.name !== 'COMPLETED') return failedAgainSoFar(await progressOf(handle), page)
  const { plan } = await inputOf(client, await eventsOf(client, description), { workflowId })
  return failedAgain(iterations, retriedLoops(plan), page)
}
