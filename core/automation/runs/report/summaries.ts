import type { RunTally, UnitOfWork } from '../../run-store/index.js'
import { bulkCommandOf } from '../ids/bulk.js'
import type { RunDescription } from '../run.js'
import type { RunSummary } from './types.js'

const fieldsOf = (
  { items, incidentCount }: RunTally,
  { status }: RunDescription,
): Pick<RunSummary, 'items' | 'incidentCount'> => {
  if (!items) return { incidentCount }
  const { done, failed, total, stopped } = items
  // The item that ended a strict loop counts as failed once its run has ended.
  const counts = { done, failed: failed + (status === 'FAILED' ? stopped : 0), total }
  return { items: counts, ...(incidentCount > 0 && { incidentCount }) }
}

/** Runs with their counts from the database: one query for all of a page. */
export const summarized = async (
  { tallies }: Pick<UnitOfWork, 'tallies'>,
  runs: readonly RunDescription[],
): Promise<RunSummary[]> => {
  if (runs.length === 0) return []
  const asked = runs.map(({ workflowId, execution }) => ({
    workflowId,
    commandId: execution === 'bulk' ? bulkCommandOf(workflowId) : undefined,
  }))
  const known = new Map((await tallies.of(asked)).map((tally) => [tally.workflowId, tally]))
  return runs.map((run) => {
    const tally = known.get(run.workflowId)
    return tally ? { ...run, ...fieldsOf(tally, run) } : run
  })
}
