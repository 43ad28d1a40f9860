import type { Principal } from '../../core/access/security/index.js'
import { hasEnded, repairBulk, resumeBulk } from '../../core/automation/bulk/index.js'
import type { SegmentDependencies } from '../../core/automation/execution/index.js'
import type { BulkCommand, Registry } from '../../core/automation/language/index.js'
import { fail, isArchivoltError } from '../../core/platform/errors/index.js'
import { bulkCommandOf, bulkRunId } from '../../worker/index.js'
import { noRun, type RunDescription } from './run-access.js'
import { type FailedItemsPage, type ItemsPage, pageOfItems } from './run-items.js'
import type { RunReport } from './run-report.js'
import type { Runs } from './runs.js'

type BulkRunsDependencies = {
  runs: Pick<Runs, 'describe'>
  /** With what is deployed now. */
  current(): Promise<{ registry: Registry; segments: SegmentDependencies }>
}

/** Bulk commands of this repository as runs: their rows know more of them than Temporal, and earlier. */
export type BulkRuns = {
  /** @throws notFound for somebody else's. */
  find(runId: string, principal: Principal): Promise<BulkCommand | undefined>
  report(command: BulkCommand, principal: Principal): Promise<RunReport>
  /** Documents that it has passed over and that were not done since, as a loop tells its items. */
  items(command: BulkCommand, principal: Principal, page: ItemsPage): Promise<FailedItemsPage>
  /** Goes on behind what is done. @throws conflict for a command that goes on already, or is done. */
  resume(command: BulkCommand, principal: Principal): Promise<RunReport>
  /** @throws notFound when nothing of what is asked for has failed, conflict for a command that goes on. */
  repair(
    command: BulkCommand,
    principal: Principal,
    asked: { node?: number | undefined; positions?: readonly number[] | undefined; requestId: string },
  ): Promise<RunReport>
}

/** One whose workflow is yet to begin. */
const describeWaiting = ({ id, action, principal, repairs, submittedAt }: BulkCommand): RunDescription => ({
  workflowId: bulkRunId(id),
  chainId: `bulk ${action}`,
  execution: 'bulk',
  principal,
  status: 'RUNNING',
  ...(repairs !== null && { repairs: bulkRunId(repairs) }),
  startedAt: submittedAt,
  closedAt: undefined,
})

/** A command that was aborted lets its workflow end in peace. */
const statusOf = (run: RunDescription, command: BulkCommand): Pick<RunDescription, 'status' | 'closedAt'> => {
  if (!command.isStarted && !hasEnded(command)) return { status: 'RUNNING', closedAt: undefined }
  const isAborted = command.state === 'ABORTED' && run.status === 'COMPLETED'
  return { status: isAborted ? 'CANCELLED' : run.status, closedAt: run.closedAt }
}

/** A run with what its command tells: one step, whose items are its documents. */
export const bulkReportOf = (described: RunDescription, command: BulkCommand): RunReport => {
  const run = { ...described, ...statusOf(described, command) }
  const { processed: position, collected: total, failed, failures, error } = command
  const loop = { position, total, failed, failures }
  const isRunning = run.status === 'RUNNING'
  const ended = run.status === 'COMPLETED' ? 'done' : 'failed'
  return {
    ...run,
    nodes: [{ title: run.chainId, kind: 'bulk', status: isRunning ? 'running' : ended, loop }],
    ...(isRunning && { loop }),
    items: { done: position - failed, failed, total },
    ...(error !== null && { failure: { code: 'operationFailed', status: 500, message: error } }),
  }
}

const RUN_ID = /^bulk-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const createBulkRuns = ({ runs, current }: BulkRunsDependencies): BulkRuns => {
  const describe = async (command: BulkCommand, principal: Principal): Promise<RunDescription> => {
    try {
      return await runs.describe(bulkRunId(command.id), principal)
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

    find: async (runId, principal) => {
      if (!RUN_ID.test(runId)) return undefined
      const { segments } = await current()
      const command = await segments.units.reading(principal).bulk.find(bulkCommandOf(runId))
      if (command && !principal.isAdministrator && command.principal !== principal.name)
        throw fail('notFound', noRun(runId))
      return command
    },

    items: async ({ id }, principal, page) => {
      const { segments } = await current()
      const { bulk } = segments.units.reading(principal)
      return pageOfItems([{ node: 0, read: (after, limit) => bulk.failures(id, { after, limit }) }], page)
    },

    resume: async (command, principal) => {
      const described = await describe(command, principal)
      const { status } = bulkReportOf(described, command)
      // Its workflow must have ended, or the next one would not begin.
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
        repairBulk({ session, store: bulk, ...place }, { id: command.id, positions, requestId }),
      )
      return report(repair, principal)
    },
  }
}
