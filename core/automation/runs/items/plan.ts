import { fail } from '../../../platform/errors/index.js'
import type { LoopCall } from '../../loops/index.js'
import { type LoopRepairs, type Plan, type PlanNode, requireFit } from '../../planning/index.js'
import type { PackedState } from '../../run-store/index.js'
import type { FailedItems, RetriedLoop } from './types.js'

/** A loop as its run has entered it. */
export type EnteredLoop = { call: LoopCall; state: PackedState }

/** Failed items of a loop whose items are runs of their own: each goes on with the plan that it has. */
const retriedRuns = (
  node: PlanNode | undefined,
  { key, items: { entered, positions } }: { key: LoopRepairs['key']; items: FailedItems },
): PlanNode[] => {
  if (!entered || !node || node.kind === 'segment' || !node.plan) return []
  const { step, target, plan, onError, title } = node
  const repairs: LoopRepairs = {
    key,
    state: entered,
    ...(positions && { positions }),
    ...(node.kind === 'call' && { keepsOutput: node.keepsOutput }),
  }
  return [{ kind: 'loop', step, target, title, plan, ...(onError && { onError }), repairs }]
}

const keepTheirs = (workflowId: string, step: string): string =>
  `definition: items of the node ${step} are runs of their own, which keep theirs: retry ${workflowId}/${step}/{position} with it`

/**
 * The plan that retries failed items of a run: the same call for each of its loops, in the state in which the loop was
 * entered.
 *
 * @param run `entered`: its loops that it has entered, by node.
 * @param latest the chain as it is deployed now, whose loops are to be taken. Absent: as they were.
 * @throws conflict when the loops of the latest do not fit.
 */
export const planItems = (
  run: { workflowId: string; plan: Plan; entered: ReadonlyMap<string, EnteredLoop> },
  items: readonly FailedItems[],
  latest: Plan | undefined,
): Plan => {
  const { workflowId, plan, entered: loops } = run
  const nodes = items.flatMap((failed): PlanNode[] => {
    const { step, positions, entered } = failed
    const key = { workflowId, step }
    const at = Number(step)
    if (entered) {
      if (latest) throw fail('conflict', keepTheirs(workflowId, step))
      return retriedRuns(plan.nodes[at], { key, items: failed })
    }
    const loop = loops.get(step)
    if (!loop) return []
    const repairs = { key, state: loop.state, ...(positions && { positions }) }
    if (latest) requireFit(plan.nodes, latest.nodes, { at, hasBegun: true })
    const node = (latest ?? plan).nodes[at]
    const call = latest && node?.kind === 'loop' ? node : loop.call
    const { step: callStep, target } = call
    return [{ kind: 'loop', step: callStep, target, title: node?.title ?? target, repairs }]
  })
  // Its items fail one by one, which no error chain handles.
  const { onError: _, ...rest } = latest ?? plan
  return { ...rest, nodes }
}

/** The loops of another run whose failed items a run retries. */
export const retriedLoops = ({ nodes }: Plan): RetriedLoop[] =>
  nodes.flatMap((loop, node): RetriedLoop[] =>
    loop.kind === 'loop' && loop.repairs ? [{ node, ...loop.repairs }] : [],
  )
