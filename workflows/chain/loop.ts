import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common'
import { workflowInfo } from '@temporalio/workflow'
import type { EnteredItem, LoopCall } from '../../core/automation/loops/index.js'
import type { PlanNode } from '../../core/automation/planning/index.js'
import type { PackedState } from '../../core/automation/run-store/index.js'
import { runChild } from './child.js'
import { failureBehind, isCancelledAlone, isFailureOfNode } from './failures.js'
import {
  continueRun,
  type Position,
  pageActivities,
  type Run,
  shortActivities,
  showProgress,
  stepInput,
} from './run.js'

/** Children started by one run before it continues as new: each leaves half a dozen events in its history. */
export const ITEMS_PER_RUN = 500

type LoopNode = Exclude<PlanNode, { kind: 'segment' }>

const callOf = (node: LoopNode): LoopCall => {
  const { step, target } = node
  return node.kind === 'call'
    ? { step, target, keepsOutput: node.keepsOutput, over: 'input' }
    : { step, target, keepsOutput: false, over: node.over, ...(node.retries && { retries: node.retries }) }
}

/** A transaction for each item, page by page. */
const runPages = async (
  run: Run,
  node: LoopNode,
  position: Position,
  state: PackedState,
): Promise<PackedState> => {
  for (;;) {
    const input = stepInput(run, String(position.node), state)
    const page = await pageActivities(node.title).runLoopPage({ ...input, call: callOf(node) })
    if (page.loop) showProgress(run, { loop: page.loop })
    if (page.isDone) return page.state ?? state
    if (workflowInfo().continueAsNewSuggested) await continueRun(run, position, state)
  }
}

/** Of a summary, of which Temporal takes 400 bytes: the end of a path says most. */
const SHOWN_PATH = 60

/** `RunOperationOnList approve-one 3 …/contracts/lease.docx` */
const titleOf = (title: string, position: number, path: string | undefined): string => {
  if (path === undefined) return `${title} ${position}`
  const shown = path.length > SHOWN_PATH ? `…${path.slice(-SHOWN_PATH)}` : path
  return `${title.slice(0, SHOWN_PATH)} ${position} ${shown}`
}

/**
 * The run of an item. One that is retried begins again under its own id: what it has done is not done again; when
 * somebody else has started it meanwhile, that is waited for.
 *
 * @returns the state behind it; undefined when somebody else has retried it.
 */
const runItem = async (
  run: Run,
  { title, target, plan: nodes = [], onError }: LoopNode,
  { key, position, state, timeout, path }: EnteredItem,
): Promise<PackedState | undefined> => {
  const id = `${key.step}/${position}`
  const of = key.workflowId
  const item = { key, position }
  for (;;) {
    try {
      const child = {
        id,
        of,
        title: titleOf(title, position, path),
        target,
        nodes,
        onError,
        state,
        timeout,
        item,
      }
      return (await runChild(run, child)).state
    } catch (error) {
      const isOther = of !== workflowInfo().workflowId
      if (!isOther || !(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
    }
    const status = await pageActivities(title).awaitRun({ workflowId: `${of}/${id}` })
    if (status === 'COMPLETED') return undefined
  }
}

/** A run for each item, one after the other. */
const runItems = async (
  run: Run,
  node: LoopNode,
  position: Position,
  state: PackedState,
): Promise<PackedState> => {
  const call = callOf(node)
  let { ended } = position
  for (let begun = 0; ; begun++) {
    // A few items fill a history when their state is large.
    if (begun >= ITEMS_PER_RUN || (begun > 0 && workflowInfo().continueAsNewSuggested))
      await continueRun(run, { node: position.node, ...(ended && { ended }) }, state)
    const input = stepInput(run, String(position.node), state)
    const next = await shortActivities(node.title).nextItem({ ...input, call, ...(ended && { ended }) })
    showProgress(run, { loop: next.loop })
    if (!next.item) return next.state ?? state
    const { index } = next.item
    try {
      const behind = await runItem(run, node, next.item)
      ended = { index, ...(behind && { state: behind }) }
    } catch (error) {
      if (!next.continueOnError || !(isFailureOfNode(error) || isCancelledAlone(error))) throw error
      ended = { index, failure: failureBehind(error) }
    }
  }
}

/** Another operation or chain for each of many items: a transaction each, or a run each when it commits on its way. */
export const runLoop = (
  run: Run,
  node: LoopNode,
  position: Position,
  state: PackedState,
): Promise<PackedState> => (node.plan ? runItems : runPages)(run, node, position, state)
