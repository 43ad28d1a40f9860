import type { WorkflowExecutionDescription } from '@temporalio/client'
import type { Principal } from '../../core/access/security/index.js'
import type { Registry } from '../../core/automation/language/index.js'
import { adoptState, planToTravel } from '../../core/automation/planning/index.js'
import type { UnitsOfWork } from '../../core/automation/run-store/index.js'
import { latestChain, loopsOf, requireRetryable, stateBefore } from '../../core/automation/runs/index.js'
import { fail } from '../../core/platform/errors/index.js'
import type { ChainRun } from '../../workflows/chain/types.js'
import type { Temporal } from '../client/index.js'
import { repairsOf } from '../describe/index.js'
import { lastExecution } from '../history/index.js'
import { restart } from '../start/index.js'
import { requireAllFit } from './fit.js'

/**
 * Continues a run that has failed or was cancelled where it stopped, with its chain as deployed now: as a new
 * execution under its id, so that receipts, the positions of loops and the ids of runs below it hold.
 *
 * @throws conflict for a run that has not failed, for a chain that is no longer deployed, and when its progress does not fit the chain.
 */
export const retryWithLatest = async (
  { client, taskQueue, units }: Temporal & { units: UnitsOfWork },
  {
    description,
    registry,
    principal,
  }: { description: WorkflowExecutionDescription; registry: Registry; principal: Principal },
): Promise<void> => {
  const { workflowId, status } = description
  requireRetryable({ workflowId, status: status.name })
  const repairs = repairsOf(description)
  if (repairs !== undefined)
    throw fail('conflict', `definition: the run ${workflowId} does items of ${repairs} again: ask that one`)
  const run = await lastExecution(client, description)
  const chain = latestChain(run.plan, registry)
  const plan = planToTravel(chain, registry)
  const recorded = { stores: units.reading(principal), workflowId }
  const failed = await requireAllFit({ client, ...recorded }, run.plan.nodes, plan.nodes)
  const { at } = failed
  const begun = { plan: run.plan, state: run.state, from: run.cursor?.node ?? 0 }
  const before = await stateBefore(recorded, begun, at)
  const input: ChainRun = {
    ...run,
    state: await adoptState(before, chain, { units, principal }),
    plan,
    cursor: { node: at },
    loops: loopsOf(failed),
  }
  await restart({ client, taskQueue }, description, input)
}
