import { isOutdated, requireNoFailedItems, type WorkflowRuns } from '../core/automation/runs/index.js'
import { callChain } from './call-chain.js'
import { cancelRun } from './cancel.js'
import type { RunsContext } from './context.js'
import { describeRun, findChainRun, findRun, repairsOf } from './describe/index.js'
import { lastExecution } from './history/index.js'
import { itemsOf } from './items.js'
import { listWorkflows } from './list/index.js'
import { reportRun } from './report.js'
import { resultOf } from './result.js'
import { resetFailed, retryItems, retryWithLatest } from './retry/index.js'

/** Starts and follows the runs of a repository on Temporal. */
export const createWorkflowRuns = (
  given: Omit<RunsContext, 'embedded'> & Partial<Pick<RunsContext, 'embedded'>>,
): WorkflowRuns => {
  const context: RunsContext = { embedded: () => undefined, ...given }
  const { client, units, quota } = context
  return {
    start: (run) => callChain(context, run),

    result: (workflowId, principal) => resultOf(context, workflowId, principal),

    find: async (workflowId, principal) =>
      describeRun(context, (await findRun(context, workflowId, principal)).description),

    report: (workflowId, principal) => reportRun(context, workflowId, principal),

    items: (workflowId, principal, page) => itemsOf(context, { workflowId, principal }, page),

    list: (half) => listWorkflows(context, half),

    cancel: (workflowId, principal) => cancelRun(context, workflowId, principal),

    isOutdated: async (workflowId, principal, registry) => {
      const { description } = await findChainRun(context, workflowId, principal)
      // One that a schedule could not plan has no definition yet, and items of another run are loops without theirs.
      if (description.type !== 'chain' || repairsOf(description) !== undefined) return false
      return isOutdated((await lastExecution(client, description)).plan, registry)
    },

    retry: async (workflowId, principal, latest) => {
      const { description } = await findChainRun(context, workflowId, principal)
      if (description.status.name === 'COMPLETED' && repairsOf(description) === undefined)
        requireNoFailedItems(workflowId, await units.reading(principal).iterations.ofRun(workflowId))
      await quota?.enter(principal, workflowId)
      // One that a schedule could not plan has no definition yet.
      if (latest && description.type === 'chain')
        await retryWithLatest(context, { description, registry: latest, principal })
      else await resetFailed(context, description)
      return workflowId
    },

    retryItems: async (workflowId, principal, requested, latest) => {
      const { description } = await findChainRun(context, workflowId, principal)
      return retryItems(context, { description, principal, requested, latest })
    },
  }
}
