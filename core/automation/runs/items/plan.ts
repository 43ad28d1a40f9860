import { fail, isArchivoltError } from '../../../platform/errors/index.js'
import {
  type CallNode,
  type LoopNode,
  type Plan,
  type PlanNode,
  type RetriedItems,
  requireFit,
  requireSameNodes,
} from '../../planning/index.js'
import type { FailedItems, RetriedLoop } from './types.js'

const loopOf = (node: PlanNode | undefined): LoopNode | CallNode => {
  if (node && node.kind !== 'segment') return node
  throw fail('conflict', 'The failed items are not those of a loop of the run')
}

/** @throws conflict when what is done of the items of a node does not fit the node of now. */
const requireItemsFit = (before: Plan, latest: Plan, { workflowId, step }: RetriedItems['key']): void => {
  const at = Number(step)
  const [node, other] = [loopOf(before.nodes[at]), latest.nodes[at]]
  try {
    requireFit(before.nodes, latest.nodes, { at, hasBegun: true })
    // An item that is a run of its own keeps what it has committed, by its place among the nodes.
    if (node.plan) requireSameNodes(node.plan, loopOf(other).plan ?? [])
  } catch (error) {
    if (!isArchivoltError(error) || !node.plan) throw error
    throw fail('conflict', `${error.message}; retry items by themselves: ${workflowId}/${step}/{position}`)
  }
}

/**
 * The plan of a run that retries failed items of another one: a loop for each of its loops.
 *
 * @param latest the plan of the chain as it is deployed now. Absent: items are retried with the definition of then.
 * @throws conflict when what is done of the items does not fit the definition of now.
 */
export const planItems = (
  plan: Plan,
  {
    workflowId,
    items,
    latest,
  }: { workflowId: string; items: readonly FailedItems[]; latest?: Plan | undefined },
): Plan => {
  // Its items fail one by one, with which no error chain has to do.
  const { onError: _, ...kept } = latest ?? plan
  const nodes = items.map(({ step, positions }): LoopNode => {
    const key = { workflowId, step }
    if (latest) requireItemsFit(plan, latest, key)
    const node = loopOf((latest ?? plan).nodes[Number(step)])
    const { target, title, plan: nodes, onError } = node
    return {
      kind: 'loop',
      step: node.step,
      target,
      title,
      over: node.kind === 'call' ? 'input' : node.over,
      ...(nodes && { plan: nodes }),
      ...(onError && { onError }),
      retries: { key, ...(positions && { positions }) },
    }
  })
  return { ...kept, nodes }
}

/** The loops of another run whose failed items a run retries. */
export const retriedLoops = ({ nodes }: Plan): RetriedLoop[] =>
  nodes.flatMap((loop, node): RetriedLoop[] =>
    loop.kind === 'loop' && loop.retries ? [{ node, ...loop.retries }] : [],
  )
