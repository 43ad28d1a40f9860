import type { Principal } from '../../../access/security/index.js'
import { fail } from '../../../platform/errors/index.js'
import { requireVisible } from '../access.js'
import type { RunsDependencies } from '../dependencies.js'
import { bulkCommandOf, mayBeBulk } from '../ids/bulk.js'
import { pageOfItems } from '../items/page.js'
import type { FoundRun, RetryCall } from '../runs.js'
import { createBulkRuns } from './bulk-runs.js'

const requireOriginal = ({ definition }: RetryCall): void => {
  if (definition === 'current')
    throw fail(
      'conflict',
      'definition: a bulk command always keeps the definition with which it was submitted',
    )
}

/** The run of a bulk command, whose items are its documents. @throws notFound for that of another user. */
export const findBulkRun = async (
  dependencies: RunsDependencies,
  runId: string,
  principal: Principal,
): Promise<FoundRun | undefined> => {
  if (!mayBeBulk(runId)) return undefined
  const { bulk } = dependencies.units.reading(principal)
  const command = await bulk.find(bulkCommandOf(runId))
  if (!command) return undefined
  requireVisible({ id: runId, owner: command.principal }, principal)
  const runs = createBulkRuns(dependencies)
  return {
    report: () => runs.report(command, principal),
    items: (page) =>
      pageOfItems([{ node: 0, read: (after, limit) => bulk.failures(command.id, { after, limit }) }], page),
    retry: async (call) => {
      requireOriginal(call)
      return runs.resume(command, principal)
    },
    retryItems: async (call, requested) => {
      requireOriginal(call)
      return runs.repair(command, principal, { ...requested, requestId: call.requestId })
    },
  }
}
