import { fail } from '../../../platform/errors/index.js'
import type { Plan, PlanNode } from '../../planning/index.js'
import type { PackedState, Receipts } from '../../run-store/index.js'
import type { ChainProgress, LoopReports } from '../report/progress.js'

/** The position of a failure: the index of the node that was running. */
export type FailedAt = { at: number; progress: ChainProgress }

export const failedAt = (progress: ChainProgress): FailedAt => {
  const at = progress.nodes.findIndex(({ status }) => status === 'running')
  return { at: at < 0 ? progress.nodes.length : at, progress }
}

/** Whether a node iterates over elements that are runs of their own. */
export const hasElementRuns = (node: PlanNode): boolean =>
  node.kind !== 'segment' && node.plan !== undefined && (node.kind === 'loop' || node.mapsInput === true)

type Recorded = { receipts: Receipts; workflowId: string }

/** Whether a node has progress that another kind of node cannot continue. */
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

/** The last execution of a run: how it began, and the states after its completed loops, by node. */
export type LastExecution = {
  plan: Plan
  state: PackedState
  /** The node at which it began; absent: the first. */
  from: number
  afterLoops: ReadonlyMap<string, PackedState>
}

/**
 * The state with which a node began: that after the previous node, from its receipt or the history.
 *
 * @throws conflict when it is no longer stored.
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
      // A loop that stores no output of its elements does not change the state.
      const kept = await recorded(step)
      if (kept) return kept
      continue
    }
    const isRun = node.kind === 'call' && node.plan !== undefined
    const state = node.kind === 'loop' ? afterLoops.get(step) : await recorded(isRun ? `${step}/leave` : step)
    if (state) return state
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
