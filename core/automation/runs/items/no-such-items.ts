import { type StoredIteration, whyNotFailed } from '../../run-store/index.js'
import type { RequestedItems } from './types.js'

type Ended = { workflowId: string; status: string }

/** The item at which a loop has ended its run. */
const stoppedAt = ({ position, stopped, total }: StoredIteration, { status }: Ended): number | undefined => {
  if (status === 'COMPLETED') return undefined
  return stopped?.position ?? (position < total ? position : undefined)
}

const reasonOf = (
  loops: readonly StoredIteration[],
  run: Ended,
  { positions, node }: RequestedItems,
): string => {
  const requested = loops.filter(({ step }) => node === undefined || step === String(node))
  if (requested.length === 0)
    return node === undefined ? 'it has entered no loop' : `its node ${node} is no loop that it has entered`
  for (const loop of requested) {
    const at = stoppedAt(loop, run)
    if (at !== undefined && (positions === undefined || positions.includes(at)))
      return `the loop of node ${loop.step} stopped at item ${at} and ended the run, which goes on there by its own retry (archivolt retry ${run.workflowId})`
  }
  return positions === undefined
    ? 'none has failed that was not done since'
    : whyNotFailed(requested, positions)
}

/** Why a run has none of the failed items that are asked for. */
export const noSuchItems = (
  loops: readonly StoredIteration[],
  run: Ended,
  requested: RequestedItems,
): string => `The run ${run.workflowId} has no such failed items: ${reasonOf(loops, run, requested)}`
