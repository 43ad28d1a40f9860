import type { Receipts } from '../../run-store/index.js'
import type { FailedItems, RequestedItems } from './types.js'

/** The requested items that have failed, by loop. */
export const findRequested = async (
  receipts: Receipts,
  workflowId: string,
  { positions, node }: RequestedItems,
): Promise<FailedItems[]> => {
  const loops = await receipts.loops(workflowId)
  const requested = loops.filter(
    ({ step, failures }) => failures.length > 0 && (node === undefined || step === String(node)),
  )
  const found = await Promise.all(
    requested.map(async ({ step, isWalk }): Promise<FailedItems> => {
      const key = { workflowId, step }
      const entered = isWalk ? (await receipts.walk(key))?.entered : undefined
      const items = { step, ...(entered && { entered }) }
      if (!positions) return items
      const failed = await receipts.loopFailures(key, { among: positions, limit: positions.length })
      return { ...items, positions: failed.map(({ position }) => position) }
    }),
  )
  return found.filter((items) => items.positions === undefined || items.positions.length > 0)
}
