import type { ItemFailure, RunFailure } from '../../language/index.js'
import type { LoopReport } from '../../loops/index.js'
import type { StoredIteration } from '../../run-store/index.js'
import type { RunDescription } from '../run.js'
import type { ReportedLoop } from './types.js'

/** The progress of the current page of a loop. */
export type LoopPlace = { position: number; total: number }

/** The failure of an element that is a run of its own is that of its loop. */
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
 * The report of a loop.
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
