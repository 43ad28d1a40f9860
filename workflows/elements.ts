import { workflowInfo } from '@temporalio/workflow'
import type { ChainFailure } from '../core/automation/execution/index.js'
import type { LoopFailure, KEPT_FAILURES as LoopFailuresKept } from '../core/automation/language/index.js'
import type { PlanNode } from '../core/automation/planning/index.js'
import type { PackedState } from '../core/automation/run-store/index.js'
import { runChild } from './child.js'
import { failureBehind, isCancelledAlone, isFailureOfNode } from './failures.js'
import { KEPT_MESSAGE } from './progress.js'
import { goOn, type Position, quick, type Run, show, slow, stepInput } from './run.js'

/** Children started by one run before it continues as new: each leaves half a dozen events in its history. */
export const ELEMENTS_PER_RUN = 500

/** Failures travel with a run that continues as new, so they must stay small: as many as other loops keep. */
const KEPT_FAILURES: typeof LoopFailuresKept = 1_000

/** A list whose target has boundaries: each element is a run of its own, one after the other. */
export const runElements = async (
  run: Run,
  node: Exclude<PlanNode, { kind: 'segment' }> & { plan: readonly PlanNode[] },
  position: Position,
  state: PackedState,
): Promise<PackedState> => {
  const before = run.loops?.[position.node]
  const failures: LoopFailure[] = [...(before?.failures ?? [])]
  let failed = before?.failed ?? 0
  const first = position.element
  const step = String(position.node)
  const { step: asks, target } = node
  const call =
    node.kind === 'call' ? { step: asks, target, keepsOutput: node.keepsOutput } : { step: asks, target }
  for (let element = first; ; element++) {
    // A few elements fill a history when their state is large.
    if (element - first >= ELEMENTS_PER_RUN || (element > first && workflowInfo().continueAsNewSuggested))
      await goOn(run, { node: position.node, element }, state)
    const about = { call, node: step, element }
    const input = stepInput(run, `${step}/${element}/enter`, state)
    const entered = await quick(node.title).enterElement({ ...input, ...about })
    if (entered.resumesAt !== undefined) {
      element = entered.resumesAt - 1
      continue
    }
    show(run, { loop: { position: element, total: entered.total, failed, failures } })
    if (!entered.state)
      return entered.isKept
        ? slow(node.title).collectElements({ ...stepInput(run, step, state), call, node: step })
        : state
    let inner: PackedState | undefined
    let failure: ChainFailure | undefined
    try {
      const id = `${step}/${element}`
      const done = await runChild(run, {
        id,
        title: `${node.title} ${element}`,
        target: node.target,
        nodes: node.plan,
        onError: node.onError,
        state: entered.state,
        timeout: entered.timeout,
        element: { key: { workflowId: workflowInfo().workflowId, step }, position: element },
      })
      inner = done.state
    } catch (error) {
      if (entered.stopsOnError || !(isFailureOfNode(error) || isCancelledAlone(error))) throw error
      failed++
      failure = failureBehind(error)
      const { status, message } = failure
      if (failures.length < KEPT_FAILURES)
        failures.push({ position: element, status, message: message.slice(0, KEPT_MESSAGE) })
    }
    if (entered.isKept || failure) {
      const left = stepInput(run, `${step}/${element}/leave`, state)
      await quick(node.title).leaveElement({
        ...left,
        ...about,
        ...(inner && { inner }),
        ...(failure && { failure }),
      })
    }
  }
}
