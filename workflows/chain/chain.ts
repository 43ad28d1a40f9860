import { defineQuery, setHandler, sleep, workflowInfo } from '@temporalio/workflow'
import type { ChainFailure } from '../../core/automation/execution/index.js'
import type { PlanNode } from '../../core/automation/planning/index.js'
import type { PackedState } from '../../core/automation/run-store/index.js'
import { runChild } from './child.js'
import { failureBehind, isFailureOfNode } from './failures.js'
import { runLoop } from './loop.js'
import { progressOf } from './progress.js'
import {
  continueRun,
  longActivities,
  mayBeRepeated,
  type Position,
  type Run,
  shortActivities,
  showProgress,
  stepInput,
} from './run.js'
import type { ChainProgress, ChainResult, ChainRun } from './types.js'

export const progressQuery = defineQuery<ChainProgress>('progress')

const runCall = async (
  run: Run,
  node: Extract<PlanNode, { kind: 'call' }>,
  step: string,
  state: PackedState,
): Promise<PackedState> => {
  const call = { step: node.step, target: node.target, keepsOutput: node.keepsOutput }
  if (!node.plan) {
    const activities = node.isSlow ? longActivities(node.title) : shortActivities(node.title)
    return activities.runTarget({ ...stepInput(run, step, state), call })
  }
  const { continueOnError, timeout, isolate, left, ...entered } = await shortActivities(
    node.title,
  ).enterTarget({
    ...stepInput(run, `${step}/enter`, state),
    call,
    leaving: `${step}/leave`,
  })
  if (left) return left
  const leave = (inner: PackedState, failure?: ChainFailure) =>
    shortActivities(node.title).leaveTarget({
      ...stepInput(run, `${step}/leave`, state),
      call,
      inner,
      isolate,
      ...(failure && { failure }),
    })
  let done: ChainResult
  try {
    done = await runChild(run, {
      id: step,
      title: node.title,
      target: node.target,
      nodes: node.plan,
      onError: node.onError,
      state: entered,
      timeout,
    })
  } catch (error) {
    if (!continueOnError || !isFailureOfNode(error)) throw error
    return leave(state, failureBehind(error))
  }
  return leave(done.state)
}

const runNode = (run: Run, node: PlanNode, position: Position, state: PackedState): Promise<PackedState> => {
  const step = String(position.node)
  if (node.kind === 'loop' || (node.kind === 'call' && node.mapsInput))
    return runLoop(run, node, position, state)
  if (node.kind === 'call') return runCall(run, node, step, state)
  const activities = node.isSlow ? longActivities(node.title) : shortActivities(node.title)
  const { onError } = run.plan
  return activities.runSegment({
    ...stepInput(run, step, state),
    steps: node.steps,
    ...(onError && { onError }),
    ...(node.input && { input: node.input }),
    ...(node.endsOnFalse && { endsOnFalse: node.endsOnFalse }),
    ...(node.isApart && { isApart: node.isApart }),
  })
}

/**
 * Runs a node; when one of several transactions fails, the error chain that is to run then. A segment does so
 * itself, in the transaction that has failed.
 */
const runNodeCatching = async (
  run: Run,
  node: PlanNode,
  position: Position,
  state: PackedState,
): Promise<PackedState> => {
  const { onError } = run.plan
  if (!onError || node.kind === 'segment') return runNode(run, node, position, state)
  try {
    return await runNode(run, node, position, state)
  } catch (error) {
    if (!isFailureOfNode(error)) throw error
    const caught = await longActivities('error chain').catchFailure({
      ...stepInput(run, `${position.node}/caught`, state),
      onError,
      failure: failureBehind(error),
    })
    if (!caught) throw error
    return { ...caught, isCaught: true }
  }
}

/** Children have ids of their own, by which they are retried. */
const hasChildren = (node: PlanNode): boolean =>
  node.kind === 'loop' || (node.kind === 'call' && (node.plan !== undefined || node.mapsInput === true))

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 300_000

/** Runs a node, and again when it has failed, as often as the plan says. */
const runNodeRepeatedly = async (...call: Parameters<typeof runNodeCatching>): Promise<PackedState> => {
  const [run, node] = call
  const retries = hasChildren(node) ? 0 : (run.plan.retries ?? 0)
  for (let done = 0; ; done++) {
    try {
      return await runNodeCatching(...call)
    } catch (error) {
      if (done >= retries || !isFailureOfNode(error)) throw error
      await sleep(Math.min(FIRST_PAUSE_MS * 2 ** done, LONGEST_PAUSE_MS))
    }
  }
}

/**
 * Runs a chain: its segments, calls and loops in order, the state of one being the input of the next. A
 * chain without boundaries is one local activity.
 *
 * @throws what fails a step, as the cause of an ActivityFailure of type and status of the error table.
 */
export async function chain(input: ChainRun): Promise<ChainResult> {
  const first = input.cursor ?? { node: 0 }
  const run: Run = { ...input, current: first.node }
  setHandler(progressQuery, () => progressOf(run, run.current))
  let { state } = run
  for (let index = first.node; index < run.plan.nodes.length; index++) {
    const node = run.plan.nodes[index] as PlanNode
    showProgress(run, { current: index })
    state = await runNodeRepeatedly(run, node, index === first.node ? first : { node: index }, state)
    if (state.isCaught || state.isEnded) break
    if (workflowInfo().continueAsNewSuggested && index + 1 < run.plan.nodes.length) {
      await continueRun(run, { node: index + 1 }, state)
    }
  }
  const { item } = run
  if (item && mayBeRepeated(run))
    await shortActivities('end of the item').resolveFailure({
      ...stepInput(run, 'resolve', state),
      item,
    })
  showProgress(run, { current: run.plan.nodes.length })
  return { state }
}
