import type { ItemFailure, RunFailure } from '../../language/index.js'
import type { LoopReport } from '../../loops/index.js'
import type { StoredIteration } from '../../run-store/index.js'
import type { RunDescription } from '../run.js'
import type { ReportedLoop } from './types.js'

/** Where the page of a loop stands. */
export type LoopPlace = { position: number; total: number }

/** Elements that are runs of their own fail as what their loop failed with. */
const stoppedBy = (
  { position }: Pick<LoopReport, 'position'>,
  { status, message }: RunFailure,
  documentId?: string | null,
): ItemFailure => ({
  position,
  status,
  message,
  ...(documentId && { id: documentId }),
})

/**
 * A loop as it is reported.
 *
 * @param known `own`: the run's own account of it; `stored`: the database's; `hasFailed`: its node has.
 * @returns undefined for one that was not entered.
 */
export const reportedLoop = (
  run: Pick<RunDescription, 'repairs'>,
  {
    own,
    stored,
    hasFailed,
    failure,
  }: {
    own: LoopReport | undefined
    stored: StoredIteration | undefined
    hasFailed: boolean
    failure: RunFailure | undefined
  },
): ReportedLoop | undefined => {
  if (!stored) return own
  const { failed, failures, documentId } = stored
  const total = own?.total ?? stored.total
  const position = Math.max(own?.position ?? 0, stored.position)
  // The list of what failed is that of the run whose items it retries.
  if (run.repairs !== undefined) return { position, total, failed, failures: [], ...own }
  const ended = failure && position < total && stoppedBy({ position }, failure, documentId)
  const stopped = stored.stopped ?? ended
  return { position, total, failed, failures, ...(hasFailed && stopped && { stopped }) }
}
