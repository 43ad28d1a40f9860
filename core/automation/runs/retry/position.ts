import { fail } from '../../../platform/errors/index.js'
import type { Plan, PlanNode } from '../../planning/index.js'
import type { PackedState, Receipts } from '../../run-store/index.js'
import type { ChainProgress, LoopReports } from '../report/progress.js'

/** Where a run has failed: the index of the node that was running. */
export type FailedAt = { at: number; progress: ChainProgress }

export const failedAt = (progress: ChainProgress): FailedAt => {
  const at = progress.nodes.findIndex(({ status }) => status === 'running')
  return { at: at < 0 ? progress.nodes.length : at, progress }
}

/** Whether a node iterates over elements that are runs of their own. */
export const hasElementRuns = (node: PlanNode): boolean =>
  node.kind !== 'segment' && node.plan !== undefined && (node.kind === 'loop' || node.mapsInput === true)

type Recorded = { receipts: Receipts; workflowId: string }

/** Whether something of a node is done that another kind of node would not know of. */
export const hasBegun = async (
  { receipts, workflowId }: Recorded,
  node: PlanNode | undefined,
  { at, progress }: FailedAt,
): Promise<boolean> => {
  if (!node || node.kind === 'segment') return false
  if (hasElementRuns(node)) return progress.loop !== undefined
  if (node.kind === 'call')
    return node.plan !== undefined || (await receipts.find({ workflowId, step: `${at}/0` })) !== undefined
  return (await receipts.loops(workflowId)).some(({ step, position }) => step === String(at) && position > 0)
}

/** The last execution of a run: how it began, and the states after the loops that it is past, by node. */
export type LastExecution = {
  plan: Plan
  state: PackedState
  /** The node at which it began; absent: the first. */
  from: number
  afterLoops: ReadonlyMap<string, PackedState>
}

/**
 * The state with which a node began: that after the node before it, of which there is a receipt, or the history has it.
 *
 * @throws conflict when it is not kept any more.
 */
export const stateBefore = async (
  { receipts, workflowId }: Recorded,
  { plan, state: first, from, afterLoops }: LastExecution,
  at: number,
): Promise<PackedState> => {
  const recorded = async (step: string): Promise<PackedState | undefined> =>
    (await receipts.find({ workflowId, step })) as unknown as PackedState | undefined
  for (let index = at - 1; index >= from; index--) {
    const node = plan.nodes[index] as PlanNode
    const step = String(index)
    if (hasElementRuns(node)) {
      // One that keeps nothing of its elements leaves the state as it was.
      const kept = await recorded(step)
      if (kept) return kept
      continue
    }
    const isRun = node.kind === 'call' && node.plan !== undefined
    const state = node.kind === 'loop' ? afterLoops.get(step) : await recorded(isRun ? `${step}/leave` : step)
    if (state) return state
    throw fail(
      'conflict',
      `definition: what node ${index} of the run ${workflowId} came to is not kept any more`,
    )
  }
  return first
}

/** How far the loops of a run came, those before the failed node and its own. */
export const loopsOf = ({ at, progress: { nodes, loop } }: FailedAt): LoopReports =>
  Object.fromEntries(
    nodes.flatMap(({ loop: past }, index) => {
      const report = index === at ? loop : past
      return report ? [[index, report] as const] : []
    }),
  )
