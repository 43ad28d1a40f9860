import type { Iterations } from '../../run-store/index.js'
import type { FailedItems, RequestedItems } from './types.js'

/** The requested items that have failed, by loop. */
export const findRequested = async (
  iterations: Iterations,
  workflowId: string,
  { positions, node }: RequestedItems,
): Promise<FailedItems[]> => {
  const loops = await iterations.ofRun(workflowId)
  const requested = loops.filter(
    ({ step, failures }) => failures.length > 0 && (node === undefined || step === String(node)),
  )
  if (!positions) return requested.map(({ step }) => ({ step }))
  const found = await Promise.all(
    requested.map(async ({ step }) => ({
      step,
      positions: await iterations.failedPositions({ workflowId, step }, positions),
    })),
  )
  return found.filter((items) => items.positions.length > 0)
}
