import type { Principal } from '../../access/security/index.js'
import { fail } from '../../platform/errors/index.js'
import { failuresWithPaths } from '../run-store/index.js'
import { findBulkRun } from './bulk/run.js'
import type { RunsDependencies } from './dependencies.js'
import { findInlineRun } from './inline/run.js'
import { listRuns } from './list/list-runs.js'
import { filterOf } from './list/search.js'
import { reportWithPaths } from './report/paths.js'
import { summarized } from './report/summaries.js'
import type { RetriedRun, Runs } from './runs.js'
import { workflowRun } from './workflow-run.js'

/** The runs of a repository. */
export const createRuns = (dependencies: RunsDependencies): Runs => {
  const { workflows, units } = dependencies

  const find = async (runId: string, principal: Principal) =>
    (await findInlineRun(dependencies, runId, principal)) ??
    (await findBulkRun(dependencies, runId, principal)) ??
    workflowRun(dependencies, runId, principal)

  const withPaths = (principal: Principal, report: RetriedRun): Promise<RetriedRun> =>
    reportWithPaths(units.reading(principal), report)

  return {
    list: async (search, principal, page) => {
      const reading = units.reading(principal)
      const filter = await filterOf(reading.session, search)
      const sources = { workflows: workflows.list, inlineRuns: reading.inlineRuns }
      const { entries, ...rest } = await listRuns(sources, filter, page)
      return { entries: await summarized(reading, entries), ...rest }
    },

    report: async (runId, principal) => withPaths(principal, await (await find(runId, principal)).report()),

    items: async (runId, principal, page) => {
      const { entries, ...rest } = await (await find(runId, principal)).items(page)
      return { entries: await failuresWithPaths(units.reading(principal), entries), ...rest }
    },

    cancel: async (runId, principal) => {
      const { status } = await (await find(runId, principal)).report()
      if (status !== 'RUNNING') throw fail('conflict', `The run ${runId} has ended: it is ${status}`)
      await workflows.cancel(runId, principal)
    },

    retry: async (runId, call) => {
      const run = await find(runId, call.principal)
      return withPaths(call.principal, await run.retry(call))
    },

    retryItems: async (runId, call, requested) => {
      const run = await find(runId, call.principal)
      return withPaths(call.principal, await run.retryItems(call, requested))
    },
  }
}
