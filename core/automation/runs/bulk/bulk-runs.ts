import type { Principal } from '../../../access/security/index.js'
import { fail, isArchivoltError } from '../../../platform/errors/index.js'
import { resumeBulk, retryBulk } from '../../bulk/index.js'
import type { BulkCommand } from '../../language/index.js'
import type { RunsDependencies } from '../dependencies.js'
import { bulkRunId } from '../ids/bulk.js'
import type { RequestedItems } from '../items/types.js'
import type { RunReport } from '../report/types.js'
import type { RunDescription } from '../run.js'
import type { WorkflowRuns } from '../workflow-runs.js'
import { bulkReportOf, describeWaiting } from './report.js'

type BulkRunsDependencies = Pick<RunsDependencies, 'current'> & { workflows: Pick<WorkflowRuns, 'find'> }

/** Bulk commands as runs: their rows have more details than the engine, and earlier. */
export type BulkRuns = {
  report(command: BulkCommand, principal: Principal): Promise<RunReport>
  /** Continues after the processed documents. @throws conflict for a command that is running or completed. */
  resume(command: BulkCommand, principal: Principal): Promise<RunReport>
  /** @throws notFound when no requested item has failed, conflict for a running command. */
  repair(
    command: BulkCommand,
    principal: Principal,
    requested: RequestedItems & { requestId: string },
  ): Promise<RunReport>
}

export const createBulkRuns = ({ workflows, current }: BulkRunsDependencies): BulkRuns => {
  const describe = async (command: BulkCommand, principal: Principal): Promise<RunDescription> => {
    try {
      return await workflows.find(bulkRunId(command.id), principal)
    } catch (error) {
      if (isArchivoltError(error) && error.code === 'notFound') return describeWaiting(command)
      throw error
    }
  }
  const placeOf = async () => {
    const { registry, segments } = await current()
    return { segments, registry, mostOpen: segments.services.limits.openBulkCommands }
  }
  const report: BulkRuns['report'] = async (command, principal) =>
    bulkReportOf(await describe(command, principal), command)

  return {
    report,

    resume: async (command, principal) => {
      const described = await describe(command, principal)
      const { status } = bulkReportOf(described, command)
      // Its workflow must have ended, or the next one would not start.
      if (status === 'RUNNING' || described.status === 'RUNNING')
        throw fail('conflict', `The run ${described.workflowId} has not failed: it is RUNNING`)
      const { segments, ...place } = await placeOf()
      const resumed = await segments.units.transaction(principal, ({ session, bulk }) =>
        resumeBulk({ session, store: bulk, ...place }, command.id),
      )
      return bulkReportOf(described, resumed)
    },

    repair: async (command, principal, { node = 0, positions, requestId }) => {
      if (node !== 0)
        throw fail(
          'notFound',
          `The run ${bulkRunId(command.id)} has no such failed items: its documents are the items of node 0`,
        )
      const { segments, ...place } = await placeOf()
      const repair = await segments.units.transaction(principal, ({ session, bulk }) =>
        retryBulk({ session, store: bulk, ...place }, { id: command.id, positions, requestId }),
      )
      return report(repair, principal)
    },
  }
}
