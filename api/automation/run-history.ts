import type { Client, WorkflowExecutionDescription, WorkflowHandle } from '@temporalio/client'
import { defaultPayloadConverter } from '@temporalio/common'
import type { StepInput } from '../../activities/types.js'
import type { LoopCall, LoopPage } from '../../core/automation/loops/index.js'
import {
  type LoopRepairs,
  type Plan,
  type PlanNode,
  requireFit,
} from '../../core/automation/planning/index.js'
import type { PackedState } from '../../core/automation/run-store/index.js'
import { fail } from '../../core/platform/errors/index.js'
import type { ChainRun } from '../../workflows/types.js'
import { startAnew } from './start-anew.js'

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>
type Event = NonNullable<History['events']>[number]
type EventId = Event['eventId']
type Payloads = { payloads?: readonly object[] | null } | null | undefined

const eventsOf = async (
  client: Client,
  { workflowId, runId }: { workflowId: string; runId: string },
): Promise<readonly Event[]> =>
  (await client.workflow.getHandle(workflowId, runId).fetchHistory()).events ?? []

const argumentOf = <Argument>(input: Payloads): Argument | undefined => {
  const payload = input?.payloads?.[0]
  return payload && defaultPayloadConverter.fromPayload<Argument>(payload)
}

/** `RESET_REAPPLY_EXCLUDE_TYPE_CANCEL_REQUEST` of Temporal's API. */
const CANCEL_REQUESTS = 4

/** What an activity or a child that failed was begun by; undefined for every other event. */
const begunBy = (event: Event): EventId => {
  const activity =
    event.activityTaskFailedEventAttributes ??
    event.activityTaskTimedOutEventAttributes ??
    event.activityTaskCanceledEventAttributes
  const child =
    event.childWorkflowExecutionFailedEventAttributes ??
    event.childWorkflowExecutionTimedOutEventAttributes ??
    event.childWorkflowExecutionCanceledEventAttributes ??
    event.childWorkflowExecutionTerminatedEventAttributes ??
    event.startChildWorkflowExecutionFailedEventAttributes
  return activity?.scheduledEventId ?? child?.initiatedEventId
}

/** Events between a workflow task and the one before it: what the task was told. */
const toldTo = (events: readonly Event[], task: Event): readonly Event[] => {
  const before = events.slice(0, events.indexOf(task))
  const previous = before.findLastIndex((event) => event.workflowTaskCompletedEventAttributes)
  return before.slice(previous + 1)
}

/** The task that gave the command behind an event, and what it began, for activities and children. */
const commandOf = (events: readonly Event[], id: EventId) => {
  const begun = events.find(({ eventId }) => String(eventId) === String(id))
  const activity = begun?.activityTaskScheduledEventAttributes
  const command = activity ?? begun?.startChildWorkflowExecutionInitiatedEventAttributes
  const task = events.find(({ eventId }) => String(eventId) === String(command?.workflowTaskCompletedEventId))
  return { task, activity: activity?.activityType?.name }
}

/** The task that asked for an error chain, when what came of it is the last thing that a task was told. */
const askedToCatch = (events: readonly Event[], task: Event): Event | undefined => {
  const ended = toldTo(events, task).flatMap(
    ({ activityTaskCompletedEventAttributes: completed, activityTaskFailedEventAttributes: failed }) => {
      const id = completed?.scheduledEventId ?? failed?.scheduledEventId
      return id ? [commandOf(events, id)] : []
    },
  )
  return ended.findLast(({ activity }) => activity === 'catchFailure')?.task
}

/** What an activity or a child that has ended was begun by. */
const begunByEnded = (event: Event): EventId =>
  event.activityTaskCompletedEventAttributes?.scheduledEventId ??
  event.childWorkflowExecutionCompletedEventAttributes?.initiatedEventId ??
  begunBy(event)

/**
 * The task that began what was under way when somebody asked for the end of a run, or the last before that: its
 * outcome, and being asked, would stay in the history otherwise.
 */
const pointBeforeCancel = (events: readonly Event[], asked: number): EventId => {
  const before = events.slice(0, asked)
  const ended = new Set(before.map((event) => String(begunByEnded(event))))
  const open = before.find(
    ({
      eventId,
      activityTaskScheduledEventAttributes,
      startChildWorkflowExecutionInitiatedEventAttributes,
    }) =>
      (activityTaskScheduledEventAttributes ?? startChildWorkflowExecutionInitiatedEventAttributes) &&
      !ended.has(String(eventId)),
  )
  const last = before.findLast((event) => event.workflowTaskCompletedEventAttributes)
  return (open ? commandOf(events, open.eventId).task : last)?.eventId
}

/**
 * The workflow task to which a run that has failed or was cancelled is reset: the last one, when what failed was part
 * of it; else the one that began the activity or the child that failed, whose failure would stay in the history
 * otherwise. Looking for an error chain follows a failure, and is none of its own.
 */
export const resetPoint = (events: readonly Event[]): EventId => {
  const asked = events.findIndex((event) => event.workflowExecutionCancelRequestedEventAttributes)
  if (asked >= 0 && events.at(-1)?.workflowExecutionCanceledEventAttributes)
    return pointBeforeCancel(events, asked)
  const last = events.findLast((event) => event.workflowTaskCompletedEventAttributes)
  if (!last) return undefined
  const failing = askedToCatch(events, last) ?? last
  const failed = toldTo(events, failing)
    .map(begunBy)
    .findLast((id) => id !== null && id !== undefined)
  return (failed ? commandOf(events, failed).task : failing)?.eventId
}

/** @throws conflict for a run that has neither failed nor was cancelled. */
export const requireMayGoOn = ({
  workflowId,
  status,
}: Pick<WorkflowExecutionDescription, 'workflowId' | 'status'>): void => {
  if (status.name !== 'FAILED' && status.name !== 'CANCELLED')
    throw fail('conflict', `The run ${workflowId} has not failed: it is ${status.name}`)
}

/**
 * Starts a run that has failed, or was cancelled, again where it stood, under its own id: what it has done is in its history, or found by its
 * receipts. Asked twice at once, it is started once.
 *
 * @throws conflict for a run that has not failed, nor was cancelled.
 */
export const resetFailed = async (
  client: Client,
  description: WorkflowExecutionDescription,
): Promise<void> => {
  const { workflowId, runId } = description
  requireMayGoOn(description)
  const events = await eventsOf(client, { workflowId, runId })
  const point = resetPoint(events)
  if (!point) {
    const { run } = executionOf(events, workflowId)
    if (!run.plan) throw fail('conflict', `The run ${workflowId} ended before it began: call its chain anew`)
    // Nothing is in its history that what it is given does not say, or its receipts.
    const { endsAt: _, ...given } = run
    return startAnew(client, description, given)
  }
  await client.workflowService.resetWorkflowExecution({
    namespace: client.options.namespace,
    workflowExecution: { workflowId, runId },
    reason: 'Its caller asked for it',
    workflowTaskFinishEventId: point,
    requestId: `retry-${runId}`,
    // That it was to end is not asked of what goes on.
    resetReapplyExcludeTypes: [CANCEL_REQUESTS],
  })
}

type PageInput = StepInput & { call: LoopCall }

type Execution = { run: ChainRun; pages: Map<string, PageInput>; before: string }

const executionOf = (events: readonly Event[], workflowId: string): Execution => {
  const [{ workflowExecutionStartedEventAttributes: started } = {}] = events
  const run = argumentOf<ChainRun>(started?.input)
  if (!run) throw fail('notFound', `The history of the run ${workflowId} is not kept any more`)
  const pages: Execution['pages'] = new Map()
  for (const { activityTaskScheduledEventAttributes: scheduled } of events) {
    if (scheduled?.activityType?.name !== 'runLoopPage') continue
    const page = argumentOf<PageInput>(scheduled.input)
    if (page && !pages.has(page.step)) pages.set(page.step, page)
  }
  return { run, pages, before: started?.continuedExecutionRunId ?? '' }
}

/** The first page of each loop says in which state it was entered, in whichever history of the run that is. */
const executionsOf = async (
  client: Client,
  { workflowId, runId }: { workflowId: string; runId: string },
): Promise<Execution> => {
  const last = executionOf(await eventsOf(client, { workflowId, runId }), workflowId)
  let { before } = last
  while (before !== '') {
    const earlier = executionOf(await eventsOf(client, { workflowId, runId: before }), workflowId)
    for (const [step, page] of earlier.pages) last.pages.set(step, page)
    before = earlier.before
  }
  return last
}

/** The last execution of a run that has ended: with what it began, and the states behind the loops that it was past. */
export type LastExecution = { run: ChainRun; behindLoops: ReadonlyMap<string, PackedState> }

/** @throws notFound for a run whose history is not kept any more; conflict for one that failed before it began. */
export const lastExecution = async (
  client: Client,
  { workflowId, runId }: { workflowId: string; runId: string },
): Promise<LastExecution> => {
  const events = await eventsOf(client, { workflowId, runId })
  const { run } = executionOf(events, workflowId)
  if (!run.plan) throw fail('conflict', `The run ${workflowId} failed before it began`)
  const behindLoops = new Map<string, PackedState>()
  for (const { activityTaskCompletedEventAttributes: completed } of events) {
    if (!completed) continue
    const scheduled = events.find(({ eventId }) => String(eventId) === String(completed.scheduledEventId))
    const begun = scheduled?.activityTaskScheduledEventAttributes
    if (begun?.activityType?.name !== 'runLoopPage') continue
    const [page, done] = [argumentOf<PageInput>(begun.input), argumentOf<LoopPage>(completed.result)]
    if (page && done?.isDone) behindLoops.set(page.step, done.state)
  }
  return { run, behindLoops }
}

/** Failed items of one loop; without positions all of them. */
export type FailedItems = {
  step: string
  positions?: readonly number[]
  /** The state in which their loop was entered, where they are runs of their own. */
  entered?: PackedState
}

/** Failed items of a loop whose items are runs of their own: each goes on with the plan that it has. */
const repairedRuns = (
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

/** A loop of another run of which a run does failed items again, by its own nodes. */
export type RepairedLoop = { node: number } & Pick<LoopRepairs, 'key' | 'positions'>

/** Those of a run. */
export const repairedLoops = async (
  client: Client,
  { workflowId, runId }: { workflowId: string; runId: string },
): Promise<RepairedLoop[]> => {
  const { run } = executionOf(await eventsOf(client, { workflowId, runId }), workflowId)
  return run.plan.nodes.flatMap((loop, node): RepairedLoop[] =>
    loop.kind === 'loop' && loop.repairs ? [{ node, ...loop.repairs }] : [],
  )
}

const keepTheirs = (workflowId: string, step: string): string =>
  `definition: items of the node ${step} are runs of their own, which keep theirs: retry ${workflowId}/${step}/{position} with it`

/**
 * The run that repairs failed items of another one: the same call for each loop, in the state in which it was
 * entered.
 *
 * @param planNow plans its chain as it is deployed now, of which the loops are to be. Absent: as they were.
 * @throws conflict when the loops of now do not fit.
 */
export const repairsOf = async (
  client: Client,
  {
    description,
    items,
    planNow,
  }: {
    description: WorkflowExecutionDescription
    items: readonly FailedItems[]
    planNow?: ((run: ChainRun) => Plan) | undefined
  },
): Promise<ChainRun> => {
  const { workflowId } = description
  const { run, pages } = await executionsOf(client, description)
  const now = planNow?.(run)
  const nodes = items.flatMap((asked): PlanNode[] => {
    const { step, positions, entered } = asked
    const key = { workflowId, step }
    if (entered) {
      if (now) throw fail('conflict', keepTheirs(workflowId, step))
      return repairedRuns(run.plan.nodes[Number(step)], { key, items: asked })
    }
    const page = pages.get(step)
    if (!page) return []
    const repairs = { key, state: page.state, ...(positions && { positions }) }
    const at = Number(step)
    if (now) requireFit(run.plan.nodes, now.nodes, { at, hasBegun: true })
    const loop = (now ?? run.plan).nodes[at]
    const call = now && loop?.kind === 'loop' ? loop : page.call
    return [
      { kind: 'loop', step: call.step, target: call.target, title: loop?.title ?? call.target, repairs },
    ]
  })
  // Its elements fail one by one, with which no error chain has to do.
  const { onError: _, ...plan } = now ?? run.plan
  const { cursor: __, loops: ___, element: ____, endsAt: _____, ...rest } = run
  return { ...rest, plan: { ...plan, nodes } }
}
