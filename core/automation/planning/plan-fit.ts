import { fail } from '../../platform/errors/index.js'
import { rawParameter } from '../language/index.js'
import type { PlanNode } from './plan.js'

const kindOf = (node: PlanNode): string => {
  if (node.kind === 'segment') return 'a transaction'
  const each = node.kind === 'loop' || node.mapsInput === true
  const what = node.plan ? 'a run' : 'a transaction'
  if (each) return `${what} for each item`
  return node.plan ? 'a run of its own' : 'a transaction of its own'
}

const describe = (node: PlanNode | undefined): string =>
  node ? `${kindOf(node)} (${node.title})` : 'not there'

/** @throws conflict when what was done as one node does not fit another one. */
const requireSameNode = (before: PlanNode, now: PlanNode | undefined, index: number): void => {
  if (now && kindOf(before) === kindOf(now)) return
  throw fail(
    'conflict',
    `definition: what is done of the run does not fit the chain as it is now: node ${index} was ${describe(before)}, and is ${describe(now)}`,
  )
}

/** @throws conflict unless what is done of a loop's items is done of those that it would do now. */
const requireSameItems = (before: PlanNode, now: PlanNode | undefined, index: number): void => {
  requireSameNode(before, now, index)
  if (before.kind !== 'loop' || now?.kind !== 'loop') return
  const [was, is] = [rawParameter(before.step, 'list'), rawParameter(now.step, 'list')]
  if (was !== is)
    throw fail(
      'conflict',
      `definition: items of the list ${was} are done of node ${index}, which iterates over the list ${is} now`,
    )
}

/**
 * Whether a run that has come to a node may go on from there by other nodes: those before it must be as many and of the
 * same kinds. Of what it was doing nothing may be done unless that is of the same kind, too.
 *
 * @param hasBegun something of the node itself is done.
 * @throws conflict naming the step that does not fit.
 */
export const requireFit = (
  before: readonly PlanNode[],
  now: readonly PlanNode[],
  { at, hasBegun }: { at: number; hasBegun: boolean },
): void => {
  for (const [index, node] of before.slice(0, at).entries()) requireSameNode(node, now[index], index)
  const node = before[at]
  if (node && hasBegun) requireSameItems(node, now[at], at)
}

const innerNodes = (node: PlanNode | undefined): readonly PlanNode[] | undefined =>
  node && 'plan' in node ? node.plan : undefined

/**
 * Whether runs that have come to any of their nodes may go on by other ones: each must be of the same kind, also below.
 *
 * @throws conflict naming the node that is another one.
 */
export const requireSameNodes = (before: readonly PlanNode[], now: readonly PlanNode[]): void => {
  for (const [index, node] of before.entries()) {
    const other = now[index]
    requireSameItems(node, other, index)
    const inner = innerNodes(node)
    // A node of the same kind has inner nodes, too.
    if (inner) requireSameNodes(inner, innerNodes(other) ?? [])
  }
}
