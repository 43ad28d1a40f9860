import { fail } from '../../../platform/errors/index.js'
import type { Plan, PlanNode } from '../../planning/index.js'
import type { PackedState, UnitOfWork } from '../../run-store/index.js'
import type { ChainProgress, LoopReports } from '../report/progress.js'

/** The position of a failure: the index of the node that was running. */
export type FailedAt = { at: number; progress: ChainProgress }

export const failedAt = (progress: ChainProgress): FailedAt => {
  const at = progress.nodes.findIndex(({ status }) => status === 'running')
  return { at: at < 0 ? progress.nodes.length : at, progress }
}

/** Whether a node iterates, so that it has a cursor. */
export const isLoop = (node: PlanNode): boolean =>
  node.kind === 'loop' || (node.kind === 'call' && node.mapsInput === true)

/** Whether what a node calls is a run of its own, or one for each item. */
const hasRuns = (node: PlanNode): boolean => node.kind !== 'segment' && node.plan !== undefined

/** What is recorded of a run. */
export type Recorded = { stores: Pick<UnitOfWork, 'iterations' | 'receipts'>; workflowId: string }

/** Whether a node has progress that another kind of node cannot continue. */
export const hasBegun = async (
  { stores, workflowId }: Recorded,
  node: PlanNode | undefined,
  at: number,
): Promise<boolean> => {
  if (!node || node.kind === 'segment') return false
  if (!isLoop(node)) return hasRuns(node)
  const cursor = await stores.iterations.cursor({ workflowId, step: String(at) })
  return cursor !== undefined && (hasRuns(node) || cursor.position > 0)
}

/** How an execution of a run began. */
export type Begun = {
  plan: Plan
  state: PackedState
  /** The node at which it began. */
  from: number
}

/**
 * The state with which a node began: that after the node before it, of which there is a receipt.
 *
 * @throws conflict when it is no longer stored.
 */
export const stateBefore = async (
  { stores, workflowId }: Recorded,
  { plan, state: first, from }: Begun,
  at: number,
): Promise<PackedState> => {
  for (let index = at - 1; index >= from; index--) {
    const node = plan.nodes[index] as PlanNode
    const step = !isLoop(node) && hasRuns(node) ? `${index}/leave` : String(index)
    const state = (await stores.receipts.find({ workflowId, step })) as unknown as PackedState | undefined
    if (state) return state
    // One that keeps nothing of its items leaves the state as it was.
    if (isLoop(node)) continue
    throw fail(
      'conflict',
      `definition: the result of node ${index} of the run ${workflowId} is no longer stored`,
    )
  }
  return first
}

/** The progress of the loops up to the failed node. */
export const loopsOf = ({ at, progress: { nodes, loop } }: FailedAt): LoopReports =>
  Object.fromEntries(
    nodes.flatMap(({ loop: past }, index) => {
      const report = index === at ? loop : past
      return report ? [[index, report] as const] : []
    }),
  )
