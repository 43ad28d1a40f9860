import type { Principal } from '../../access/security/index.js'
import { isArchivoltError } from '../../platform/errors/index.js'
import type { Registry } from '../language/index.js'
import type { RunsDependencies } from './dependencies.js'
import { requireCallable } from './retry/callable.js'
import type { FoundRun, RetryCall } from './runs.js'

/** The registry to continue with, unless it is the original definition. */
const latestOf = async (
  { current }: RunsDependencies,
  { definition }: RetryCall,
): Promise<Registry | undefined> => (definition === 'current' ? (await current()).registry : undefined)

/** A run that the engine executes; each method checks that it exists. */
export const workflowRun = (
  dependencies: RunsDependencies,
  runId: string,
  principal: Principal,
): FoundRun => {
  const { workflows, current } = dependencies

  const requireOwnCallable = async (call: RetryCall): Promise<void> =>
    requireCallable(dependencies, call, (await workflows.find(runId, principal)).chainId)

  const outdated = async ({ definition }: RetryCall): Promise<{ isOutdated?: true }> => {
    if (definition === 'current') return {}
    try {
      const { registry } = await current()
      return (await workflows.isOutdated(runId, principal, registry)) ? { isOutdated: true } : {}
    } catch (error) {
      // A run that cannot be retried fails with the reason.
      if (isArchivoltError(error)) return {}
      throw error
    }
  }

  return {
    report: () => workflows.report(runId, principal),
    items: (page) => workflows.items(runId, principal, page),
    retry: async (call) => {
      await requireOwnCallable(call)
      const state = await outdated(call)
      await workflows.retry(runId, principal, await latestOf(dependencies, call))
      return { ...(await workflows.report(runId, principal)), ...state }
    },
    retryItems: async (call, requested) => {
      await requireOwnCallable(call)
      const latest = await latestOf(dependencies, call)
      const retryId = await workflows.retryItems(runId, principal, requested, latest)
      const state = await outdated(call)
      return { ...(await workflows.report(retryId, principal)), ...state }
    },
  }
}
