import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common'
import { workflowInfo } from '@temporalio/workflow'
import type { ChainFailure } from '../core/automation/execution/index.js'
import type { LoopRepairs, PlanNode } from '../core/automation/planning/index.js'
import type { ElementPlace, PackedState } from '../core/automation/run-store/index.js'
import { runChild } from './child.js'
import { ELEMENTS_PER_RUN } from './elements.js'
import { failureBehind, isCancelledAlone, isFailureOfNode } from './failures.js'
import { repairedElement, repairedOf, repairedSoFar, repairingOf } from './progress.js'
import { goOn, type Position, paged, quick, type Run, show, stepInput } from './run.js'

type Repair = { node: Extract<PlanNode, { kind: 'loop' }>; repairs: LoopRepairs }

/**
 * Runs an element of another run that has failed again, under its own id: what it has done is not done again. One that
 * somebody else has started meanwhile is waited for.
 */
const runAgain = async (
  run: Run,
  of: string,
  child: Omit<Parameters<typeof runChild>[1], 'of'>,
): Promise<void> => {
  for (;;) {
    try {
      await runChild(run, { ...child, of })
      return
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
    }
    const status = await paged(child.title).awaitRun({ workflowId: `${of}/${child.id}` })
    if (status === 'COMPLETED') return
  }
}

/** Failed elements of another run that are runs of their own, one after the other. */
const runElementRepairs = async (
  run: Run,
  { node, repairs, plan }: Repair & { plan: readonly PlanNode[] },
  position: Position,
  state: PackedState,
): Promise<PackedState> => {
  const { key, keepsOutput } = repairs
  const { step: asks, target, title, onError } = node
  const call = { step: asks, target, ...(keepsOutput !== undefined && { keepsOutput }) }
  const step = String(position.node)
  for (let from = position.element, done = 0; ; done++) {
    if (done >= ELEMENTS_PER_RUN || (done > 0 && workflowInfo().continueAsNewSuggested))
      await goOn(run, { node: position.node, element: from }, state)
    const before = run.loops?.[position.node]
    const input = { ...stepInput(run, step, state), repairs }
    const { failed, entered, left } = await quick(title).enterFailed({ ...input, call, from })
    show(run, { loop: repairingOf(before, left) })
    if (!failed || !entered) return state
    const { position: element } = failed
    const place: ElementPlace = { key, position: element }
    const id = `${key.step}/${element}`
    let failure: ChainFailure | undefined
    try {
      const child = { id, title: `${title} ${element}`, target, nodes: plan, onError, element: place }
      await runAgain(run, key.workflowId, { ...child, ...entered, timeout: entered.timeout })
    } catch (error) {
      if (!isFailureOfNode(error) && !isCancelledAlone(error)) throw error
      failure = failureBehind(error)
    }
    const loop = repairedElement(before, { left, failed, failure })
    await quick(title).leaveFailed({
      ...stepInput(run, step, state),
      place,
      ...(failure && { failure }),
      loop: { position: loop.position, total: loop.total, failed: loop.failed },
    })
    show(run, { loop })
    from = element + 1
  }
}

/** Failed elements of another run's loop: some, which one activity walks, or all, page by page. */
export const runRepairs = async (
  run: Run,
  { node, repairs }: Repair,
  position: Position,
  state: PackedState,
): Promise<PackedState> => {
  if (node.plan) return runElementRepairs(run, { node, repairs, plan: node.plan }, position, state)
  const input = { ...stepInput(run, String(position.node), state), repairs }
  const call = { step: node.step, target: node.target }
  if (repairs.positions) {
    const loop = await paged(node.title).repairLoop({ ...input, call })
    show(run, { loop: repairedOf(loop, repairs.positions) })
    return state
  }
  for (let from = position.element; ; ) {
    const before = run.loops?.[position.node]
    const page = await paged(node.title).repairLoop({
      ...input,
      call,
      from,
      walked: before?.position ?? 0,
      failedBefore: before?.failed ?? 0,
    })
    show(run, { loop: repairedSoFar(before, page) })
    if (page.next === undefined) return state
    from = page.next
    if (workflowInfo().continueAsNewSuggested) await goOn(run, { node: position.node, element: from }, state)
  }
}
