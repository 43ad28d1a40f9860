import { executeChild, workflowInfo } from '@temporalio/workflow'
import type { Plan, PlanNode } from '../../core/automation/planning/index.js'
import type { ItemPlace, PackedState } from '../../core/automation/run-store/index.js'
import type { chain } from './chain.js'
import { attributesBelow } from './failed-items.js'
import { limitedTo } from './place.js'
import { mayBeRepeated, placeOf, type Run } from './run.js'
import type { ChainResult, ChainRun } from './types.js'
import { within } from './within.js'

/** A target with boundaries of its own is a run of its own, whose plan holds nothing but its nodes. */
export const runChild = async (
  run: Run,
  {
    id,
    title,
    target,
    nodes,
    onError,
    state,
    timeout,
    item,
    of = workflowInfo().workflowId,
  }: {
    /** Below that of its parent. */
    id: string
    title: string
    target: string
    nodes: readonly PlanNode[]
    onError: Plan['onError']
    state: PackedState
    timeout: number | undefined
    /** What it is of a list; absent: nothing. */
    item?: ItemPlace
    /** The run whose failed item is retried; absent: it is this one's own, and done as often as asked. */
    of?: string
  },
): Promise<ChainResult> => {
  const { onError: _, ...plan } = run.plan
  const isAgain = of !== workflowInfo().workflowId
  const child: ChainRun = {
    principal: run.principal,
    requestId: run.requestId,
    ...placeOf(run),
    ...((isAgain || mayBeRepeated(run)) && { isRepeated: true }),
    ...(item && { item }),
    state,
    plan: { ...plan, chainId: target, nodes, ...(onError && { onError }) },
  }
  return within({ target, seconds: timeout }, ({ endsAt }) =>
    executeChild<typeof chain>('chain', {
      args: [limitedTo(child, endsAt)],
      workflowId: `${of}/${id}`,
      ...(isAgain && { workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY' }),
      staticSummary: title,
      typedSearchAttributes: attributesBelow(),
    }),
  )
}
