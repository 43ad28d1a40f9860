import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common'
import {
  ActivityFailure,
  ApplicationFailure,
  ChildWorkflowFailure,
  continueAsNew,
  defineQuery,
  executeChild,
  isCancellation,
  patched,
  proxyActivities,
  proxyLocalActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow'
import type { ChainActivities, RunPlace, StepInput } from '../activities/types.js'
import type {
  ChainFailure,
  ElementPlace,
  LoopFailure,
  KEPT_FAILURES as LoopFailuresKept,
  LoopRepairs,
  PackedState,
  Plan,
  PlanNode,
} from '../core/automation/index.js'
import {
  detailsOf,
  KEPT_MESSAGE,
  progressOf,
  repairedElement,
  repairedOf,
  repairedSoFar,
  repairingOf,
} from './progress.js'
import type { ChainProgress, ChainResult, ChainRun, LoopReport } from './types.js'
import { within } from './within.js'

/** Infrastructure comes back; the caller's mistakes are marked as not retryable where they are thrown. */
const RETRY = { initialInterval: '100ms', backoffCoefficient: 2, maximumInterval: '10s' } as const

/** Work of milliseconds to seconds: runs inside the workflow task, without a trip to the queue. */
const QUICK = { startToCloseTimeout: '5 minutes', retry: RETRY } as const

/** Conversions and the like: a queue slot, heartbeats, a way to cancel. */
const SLOW = { startToCloseTimeout: '6 hours', heartbeatTimeout: '30s', retry: RETRY } as const

/** A page of a loop: a worker that is lost holds it up no longer than a lost workflow task would. */
const PAGE = { startToCloseTimeout: '2 hours', heartbeatTimeout: '10s', retry: RETRY } as const

/** Children started by one run before it continues as new: each leaves half a dozen events in its history. */
const ELEMENTS_PER_RUN = 500

/** Failures travel with a run that continues as new, so they must stay small: as many as other loops keep. */
const KEPT_FAILURES: typeof LoopFailuresKept = 1_000

export const progressQuery = defineQuery<ChainProgress>('progress')

/** A run with the index of the node that it is at. */
type Run = ChainRun & { current: number }

type Position = { node: number; element: number }

/** A run that was reset, or goes on in a new history, has another id than the one that began. */
const mayBeRepeated = (run: Run): boolean =>
  run.isRepeated === true || workflowInfo().runId !== workflowInfo().firstExecutionRunId

/** Whoever does a run again gives it time again. */
const placeOf = (run: ChainRun): RunPlace => {
  const { repository, eventDepth, endsAt } = run
  const isFirst = workflowInfo().runId === workflowInfo().firstExecutionRunId
  return {
    ...(repository !== undefined && { repository }),
    ...(eventDepth !== undefined && { eventDepth }),
    ...(endsAt !== undefined && isFirst && { endsAt }),
  }
}

const stepInput = (run: Run, step: string, state: PackedState): StepInput => ({
  workflowId: workflowInfo().workflowId,
  step,
  principal: run.principal,
  requestId: run.requestId,
  ...placeOf(run),
  ...(mayBeRepeated(run) && { isRepeated: true }),
  state,
  chains: run.plan.chains,
})

const quick = (summary: string) => proxyLocalActivities<ChainActivities>({ ...QUICK, summary })
const slow = (summary: string) => proxyActivities<ChainActivities>({ ...SLOW, summary })
const paged = (summary: string) => proxyActivities<ChainActivities>({ ...PAGE, summary })

/** A target with boundaries of its own is a run of its own, whose plan holds nothing but its nodes. */
const runChild = async (
  run: Run,
  {
    id,
    title,
    target,
    nodes,
    onError,
    state,
    timeout,
    element,
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
    element?: ElementPlace
    /** The run whose failed element is done again; absent: it is this one's own, and done as often as asked. */
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
    ...(element && { element }),
    state,
    plan: { ...plan, chainId: target, nodes, ...(onError && { onError }) },
  }
  return within({ target, seconds: timeout }, ({ endsAt }) =>
    executeChild(chain, {
      args: [endsAt === undefined ? child : { ...child, endsAt: Math.min(endsAt, child.endsAt ?? endsAt) }],
      workflowId: `${of}/${id}`,
      ...(isAgain && { workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY' }),
      staticSummary: title,
      typedSearchAttributes: workflowInfo().typedSearchAttributes,
    }),
  )
}

const runCall = async (
  run: Run,
  node: Extract<PlanNode, { kind: 'call' }>,
  step: string,
  state: PackedState,
): Promise<PackedState> => {
  const call = { step: node.step, target: node.target, keepsOutput: node.keepsOutput }
  if (!node.plan) {
    const activities = node.isSlow ? slow(node.title) : quick(node.title)
    return activities.runTarget({ ...stepInput(run, step, state), call })
  }
  const { passesOver, timeout, isolate, ...entered } = await quick(node.title).enterTarget({
    ...stepInput(run, `${step}/enter`, state),
    call,
  })
  const leave = (inner: PackedState, failure?: ChainFailure) =>
    quick(node.title).leaveTarget({
      ...stepInput(run, `${step}/leave`, state),
      call,
      inner,
      ...(isolate !== undefined && { isolate }),
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
    if (!passesOver || !isFailureOfNode(error)) throw error
    return leave(state, failureBehind(error))
  }
  return leave(done.state)
}

/** Tells queries and the operator; nothing is written to the history. */
const show = (run: Run, { current = run.current, loop }: { current?: number; loop?: LoopReport }): void => {
  run.current = current
  if (loop) run.loops = { ...run.loops, [current]: loop }
  setCurrentDetails(detailsOf(progressOf(run, current)))
}

const isFailureOfElement = (error: unknown): boolean =>
  !isCancellation(error) && (error instanceof ChildWorkflowFailure || error instanceof ActivityFailure)

/** A local activity fails as what it has thrown, and so does what has lasted too long. */
const isFailureOfNode = (error: unknown): boolean =>
  isFailureOfElement(error) || error instanceof ApplicationFailure

const messageOf = (error: unknown): string => {
  let cause = error
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause
  return cause instanceof Error ? cause.message : String(cause)
}

/** The failure that an activity, of this run or of a child, has ended with. */
const failureBehind = (error: unknown): ChainFailure => {
  let cause = error
  while (cause instanceof Error && !(cause instanceof ApplicationFailure)) cause = cause.cause
  const failed = cause instanceof ApplicationFailure ? cause : undefined
  const detail = failed?.details?.[0] as Pick<ChainFailure, 'code' | 'status'> | undefined
  const { code = 'operationFailed', status = 500 } = detail ?? {}
  return { code, status, message: failed?.message ?? messageOf(error) }
}

/**
 * Whether the server asks for a new history: a few elements fill one when their state is large. Runs of releases
 * that did not look go on as they began.
 */
const isFull = (): boolean => workflowInfo().continueAsNewSuggested && patched('elements-by-history')

/** A list whose target has boundaries: each element is a run of its own, one after the other. */
const runElements = async (
  run: Run,
  node: Exclude<PlanNode, { kind: 'segment' }> & { plan: readonly PlanNode[] },
  position: Position,
  state: PackedState,
): Promise<PackedState> => {
  const before = run.loops?.[position.node]
  const failures: LoopFailure[] = [...(before?.failures ?? [])]
  let failed = before?.failed ?? failures.length
  const first = position.element
  const step = String(position.node)
  const { step: asks, target } = node
  const call =
    node.kind === 'call' ? { step: asks, target, keepsOutput: node.keepsOutput } : { step: asks, target }
  for (let element = first; ; element++) {
    if (element - first >= ELEMENTS_PER_RUN || (element > first && isFull()))
      await goOn(run, { node: position.node, element }, state)
    const about = { call, node: step, element }
    const input = stepInput(run, `${step}/${element}/enter`, state)
    const entered = await quick(node.title).enterElement({ ...input, ...about })
    if (entered.resumesAt !== undefined && patched('resumed-elements')) {
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
      if (entered.stopsOnError || !isFailureOfNode(error)) throw error
      failed++
      failure = failureBehind(error)
      const { status, message } = failure
      if (failures.length < KEPT_FAILURES)
        failures.push({ position: element, status, message: message.slice(0, KEPT_MESSAGE) })
    }
    if (entered.isKept || (failure && patched('listed-elements'))) {
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
      if (!isFailureOfNode(error)) throw error
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
const runRepairs = async (
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

const runLoop = async (
  run: Run,
  node: Extract<PlanNode, { kind: 'loop' }>,
  position: Position,
  state: PackedState,
): Promise<PackedState> => {
  if (node.repairs) return runRepairs(run, { node, repairs: node.repairs }, position, state)
  if (node.plan) return runElements(run, { ...node, plan: node.plan }, position, state)
  for (;;) {
    const input = stepInput(run, String(position.node), state)
    const page = await paged(node.title).runLoopPage({
      ...input,
      call: { step: node.step, target: node.target },
    })
    show(run, {
      loop: { position: page.position, total: page.total, failed: page.failed, failures: page.failures },
    })
    if (page.isDone) return page.state
    if (workflowInfo().continueAsNewSuggested) await goOn(run, position, state)
  }
}

/** Begins a new history at a position. Loops know their element by the database, or by the cursor. */
const goOn = ({ current: _, ...run }: Run, cursor: Position, state: PackedState): Promise<never> =>
  continueAsNew<typeof chain>({ ...run, state, cursor })

const runNode = (run: Run, node: PlanNode, position: Position, state: PackedState): Promise<PackedState> => {
  const step = String(position.node)
  if (node.kind === 'loop') return runLoop(run, node, position, state)
  if (node.kind === 'call' && node.plan && node.mapsInput)
    return runElements(run, { ...node, plan: node.plan }, position, state)
  if (node.kind === 'call') return runCall(run, node, step, state)
  const activities = node.isSlow ? slow(node.title) : quick(node.title)
  const { onError } = run.plan
  return activities.runSegment({
    ...stepInput(run, step, state),
    steps: node.steps,
    ...(onError && { onError }),
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
    const caught = await slow('error chain').catchFailure({
      ...stepInput(run, `${position.node}/caught`, state),
      onError,
      failure: failureBehind(error),
    })
    if (!caught) throw error
    return { ...caught, isCaught: true }
  }
}

/**
 * Runs a chain: its segments, calls and loops in order, the state of one being the input of the next. A
 * chain without boundaries is one local activity.
 *
 * @throws what fails a step, as the cause of an ActivityFailure of type and status of the error table.
 */
export async function chain(input: ChainRun): Promise<ChainResult> {
  const first = input.cursor ?? { node: 0, element: 0 }
  const run: Run = { ...input, current: first.node }
  setHandler(progressQuery, () => progressOf(run, run.current))
  let { state } = run
  for (let index = first.node; index < run.plan.nodes.length; index++) {
    const node = run.plan.nodes[index] as PlanNode
    show(run, { current: index })
    state = await runNodeCatching(
      run,
      node,
      { node: index, element: index === first.node ? first.element : 0 },
      state,
    )
    if (state.isCaught) break
    if (workflowInfo().continueAsNewSuggested && index + 1 < run.plan.nodes.length) {
      await goOn(run, { node: index + 1, element: 0 }, state)
    }
  }
  const { element } = run
  if (element && mayBeRepeated(run) && patched('struck-elements'))
    await quick('end of the element').strikeElement({ ...stepInput(run, 'strike', state), place: element })
  show(run, { current: run.plan.nodes.length })
  return { state }
}
