import {
  type Client,
  type WorkflowExecutionDescription,
  type WorkflowHandle,
  WorkflowNotFoundError,
} from '@temporalio/client'
import type { Principal } from '../../core/access/security/index.js'
import type { ChainDefinition, Registry } from '../../core/automation/language/index.js'
import {
  adoptState,
  chainOfOne,
  type Plan,
  type PlanNode,
  planToTravel,
  requireFit,
} from '../../core/automation/planning/index.js'
import type { PackedState, Receipts, UnitsOfWork } from '../../core/automation/run-store/index.js'
import { fail } from '../../core/platform/errors/index.js'
import type { ChainProgress, ChainRun, LoopReports } from '../../workflows/types.js'
import { type LastExecution, lastExecution, requireMayGoOn } from './run-history.js'
import { progressOf } from './run-questions.js'
import { startAnew } from './start-anew.js'

/**
 * The chain of a run as it is deployed now; an operation that was called by itself is what it was, but calls what is
 * deployed now.
 *
 * @throws conflict for a chain that is gone.
 */
export const currentChain = ({ plan }: ChainRun, registry: Registry): ChainDefinition => {
  const found = registry.find(plan.chainId)
  if (found?.kind === 'chain') return found.chain
  const [only] = plan.nodes
  const step = only?.kind === 'segment' ? only.steps[0] : only?.step
  if (found && step) return chainOfOne(found.operation, step.params)
  throw fail('conflict', `definition: no chain '${plan.chainId}' is deployed any more`)
}

/** @throws unavailable when no worker tells how far it came. */
const whereItFailed = async (handle: WorkflowHandle): Promise<{ at: number; progress: ChainProgress }> => {
  const progress = await progressOf(handle)
  if (!progress)
    throw fail('unavailable', `No worker tells how far the run ${handle.workflowId} came: ask again`)
  const at = progress.nodes.findIndex(({ status }) => status === 'running')
  return { at: at < 0 ? progress.nodes.length : at, progress }
}

const isWalk = (node: PlanNode): boolean =>
  node.kind !== 'segment' && node.plan !== undefined && (node.kind === 'loop' || node.mapsInput === true)

type Checking = { client: Client; receipts: Receipts; workflowId: string }

/** Whether something of a node is done that another kind of node would not know of. */
const hasBegun = async (
  { receipts, workflowId }: Checking,
  node: PlanNode | undefined,
  { at, progress }: { at: number; progress: ChainProgress },
): Promise<boolean> => {
  if (!node || node.kind === 'segment') return false
  if (isWalk(node)) return progress.loop !== undefined
  if (node.kind === 'call')
    return node.plan !== undefined || (await receipts.find({ workflowId, step: `${at}/0` })) !== undefined
  return (await receipts.loops(workflowId)).some(({ step, position }) => step === String(at) && position > 0)
}

/**
 * Whether a run that has failed may go on by other nodes, and so the run below it with which it has failed.
 *
 * @returns where it goes on.
 */
const requireAllFit = async (
  checking: Checking,
  before: readonly PlanNode[],
  now: readonly PlanNode[],
): Promise<{ at: number; progress: ChainProgress }> => {
  const { client, workflowId } = checking
  const failed = await whereItFailed(client.workflow.getHandle(workflowId) as WorkflowHandle)
  const { at, progress } = failed
  const [node, other] = [before[at], now[at]]
  requireFit(before, now, { at, hasBegun: await hasBegun(checking, node, failed) })
  const [was, is] = [
    node && node.kind !== 'segment' && node.plan,
    other && other.kind !== 'segment' && other.plan,
  ]
  if (!node || !was || !is) return failed
  const child = isWalk(node) ? `${workflowId}/${at}/${progress.loop?.position ?? 0}` : `${workflowId}/${at}`
  try {
    const { status } = await client.workflow.getHandle(child).describe()
    if (status.name === 'FAILED' || status.name === 'CANCELLED')
      await requireAllFit({ ...checking, workflowId: child }, was, is)
  } catch (error) {
    // It had yet to begin.
    if (!(error instanceof WorkflowNotFoundError)) throw error
  }
  return failed
}

/** The state with which a node began: that behind the one before it, of which there is a receipt, or the history tells. */
const stateBefore = async (
  { receipts, workflowId }: Checking,
  { run, behindLoops }: LastExecution,
  at: number,
): Promise<PackedState> => {
  const recorded = async (step: string): Promise<PackedState | undefined> =>
    (await receipts.find({ workflowId, step })) as unknown as PackedState | undefined
  for (let index = at - 1; index >= (run.cursor?.node ?? 0); index--) {
    const node = run.plan.nodes[index] as PlanNode
    const step = String(index)
    if (isWalk(node)) {
      // One that keeps nothing of its elements leaves the state as it was.
      const kept = await recorded(step)
      if (kept) return kept
      continue
    }
    const isLoop = node.kind === 'loop'
    const isRun = node.kind === 'call' && node.plan !== undefined
    const state = isLoop ? behindLoops.get(step) : await recorded(isRun ? `${step}/leave` : step)
    if (state) return state
    throw fail(
      'conflict',
      `definition: what node ${index} of the run ${workflowId} came to is not kept any more`,
    )
  }
  return run.state
}

const loopsOf = ({ nodes, loop }: ChainProgress, at: number): LoopReports =>
  Object.fromEntries(
    nodes.flatMap(({ loop: past }, index) => {
      const report = index === at ? loop : past
      return report ? [[index, report] as const] : []
    }),
  )

/**
 * Lets a run that has failed, or was cancelled, go on where it stood with its chain as it is deployed now: as a new execution under its id, so that
 * receipts, the positions of loops and the ids of runs below it hold.
 *
 * @throws conflict for a run that has not failed, for a chain that is gone, and when what is done does not fit it.
 */
export const retryCurrent = async (
  { client, units, taskQueue }: { client: Client; units: UnitsOfWork; taskQueue: string },
  {
    description,
    registry,
    principal,
  }: { description: WorkflowExecutionDescription; registry: Registry; principal: Principal },
): Promise<void> => {
  const { workflowId, memo } = description
  requireMayGoOn(description)
  if (memo?.repairs !== undefined)
    throw fail(
      'conflict',
      `definition: the run ${workflowId} does items of ${memo.repairs} again: ask that one`,
    )
  const last = await lastExecution(client, description)
  const { run } = last
  const chain = currentChain(run, registry)
  const plan: Plan = planToTravel(chain, registry)
  const checking = { client, receipts: units.reading(principal).receipts, workflowId }
  const { at, progress } = await requireAllFit(checking, run.plan.nodes, plan.nodes)
  const state = await adoptState(await stateBefore(checking, last, at), chain, { units, principal })
  const node = run.plan.nodes[at]
  const element = node && isWalk(node) ? (progress.loop?.position ?? 0) : 0
  const input: ChainRun = {
    ...run,
    state,
    plan,
    cursor: { node: at, element },
    loops: loopsOf(progress, at),
  }
  await startAnew(client, { ...description, taskQueue }, input)
}
