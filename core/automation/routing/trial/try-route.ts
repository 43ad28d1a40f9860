import { type Principal, SYSTEM } from '../../../access/security/index.js'
import { getNamedDocument } from '../../../content/documents/index.js'
import { keepingNothing } from '../../dry-run/index.js'
import type { SegmentDependencies } from '../../execution/index.js'
import {
  candidatesOf,
  dueRules,
  executeRule,
  openTasksOf,
  outlookOf,
  type RuleCall,
  recordFailure,
} from '../escalation/index.js'
import { beginRoute, completeTask, loadRoute, type Route } from '../instances/index.js'
import { unknownInCompletion, unknownInStart } from '../model/index.js'
import type { Task } from '../tasks/index.js'
import { type Answers, createAnswers, type PlannedAnswer } from './answers.js'
import { type Clock, createClock } from './clock.js'
import { type Principals, rememberedPrincipals } from './principals.js'
import type { RouteTrial, TrialResult } from './types.js'

/** A rule that always holds, or workflows that start one another, would go on until the end. */
const MAX_ENTRIES = 500
const MAX_MS = 30_000

type Running = { route: Route; tasks: Task[] }

/** The workflows of a trial that run, with their open tasks. */
const running = ({ entries, read }: Clock): Promise<Running[]> =>
  read(async (context) => {
    const ids = entries.flatMap(({ kind, workflowId }) => (kind === 'workflowStarted' ? [workflowId] : []))
    const found: Running[] = []
    for (const id of ids) {
      const route = await loadRoute(context.session, id)
      if (route.status === 'running') found.push({ route, tasks: await openTasksOf(context, route) })
    }
    return found
  })

/** When a rule is to be looked at, ms since 1970; now, when one is to be executed. */
const nextLook = ({ read, now }: Clock, all: readonly Running[], periodMs: number): Promise<number> =>
  read(async (context) => {
    let first = Number.POSITIVE_INFINITY
    for (const { route, tasks } of all)
      for (const candidate of candidatesOf(route, tasks)) {
        const { isDue, at } = await outlookOf(context, { route, candidate, periodMs })
        first = Math.min(first, isDue ? now().getTime() : (at ?? first))
      }
    return first
  })

const failureOf = (clock: Clock, before: number): string | undefined => clock.entries[before]?.error

/** Executes the rules that are due, each in a savepoint. @returns whether there were any. */
const escalate = async (clock: Clock, { route }: Running, periodMs: number): Promise<boolean> => {
  const due = await clock.read((context) => dueRules(context, { routeId: route.id, periodMs }))
  for (const call of due) await execute(clock, { call, route, periodMs })
  return due.length > 0
}

const execute = async (
  clock: Clock,
  { call, route, periodMs }: { call: RuleCall; route: Route; periodMs: number },
): Promise<void> => {
  const rule = route.model.nodes[call.node]?.escalationRules.find(({ name }) => name === call.rule)
  const before = clock.entries.length
  const entry = {
    ...{ kind: 'escalation' as const, workflowId: route.id, workflowModelName: route.modelId },
    ...{ node: call.node, rule: call.rule, ...(rule && { chain: rule.chain }) },
  }
  const isExecuted = await clock.list(entry, () =>
    clock.act(SYSTEM, (context) => executeRule(context, { call, periodMs })),
  )
  // The rule before has moved the workflow.
  if (isExecuted === false) clock.entries.splice(before, 1)
  const error = failureOf(clock, before)
  if (isExecuted === undefined && error !== undefined)
    await clock.act(SYSTEM, (context) => recordFailure(context, call, error))
}

const answerTask = async (
  clock: Clock,
  { taskId, routeId, actor, answer }: PlannedAnswer,
  { principal, route }: { principal: Principal; route: Route },
): Promise<void> => {
  const { node, button, comment, variables } = answer
  const completion = {
    ...{ taskId, action: button },
    ...(comment !== undefined && { comment }),
    ...(variables && { variables }),
  }
  await clock.list(
    {
      ...{ kind: 'taskCompleted', workflowId: routeId, workflowModelName: route.modelId },
      ...{ node, actor, button },
    },
    () => clock.act(principal, (context) => completeTask(context, completion)),
  )
}

/** Names in a trial that its model does not have. */
const warningsOf = ({ model }: Route, { variables, answers }: RouteTrial): string[] => [
  ...unknownInStart(model, variables),
  ...answers.flatMap(({ node, button, variables: given = {} }) => {
    const declared = model.nodes[node]
    const found = declared ? unknownInCompletion(declared, { action: button, given }) : []
    return found.map((warning) => `${node}: ${warning}`)
  }),
]

/** What is tried, while it goes on. */
type Trial = { clock: Clock; answers: Answers; principals: Principals; until: Date; periodMs: number }

/** Does what comes next. @returns whether anything came until the end. */
const goOn = async (
  { clock, answers, principals, until, periodMs }: Trial,
  all: readonly Running[],
): Promise<{ isOver: boolean; hasMoved: boolean }> => {
  await answers.see(all.flatMap(({ tasks }) => tasks))
  const answer = answers.next()
  const look = await nextLook(clock, all, periodMs)
  const next = Math.min(answer?.at ?? Number.POSITIVE_INFINITY, look)
  clock.turn(Math.min(next, until.getTime()))
  if (next > until.getTime()) return { isOver: true, hasMoved: false }
  const route = all.find((each) => each.route.id === answer?.routeId)?.route
  if (answer && route && answer.at <= look) {
    answers.take(answer)
    await answerTask(clock, answer, { principal: await principals.get(answer.actor), route })
    return { isOver: false, hasMoved: true }
  }
  let hasMoved = false
  for (const each of all) hasMoved = (await escalate(clock, each, periodMs)) || hasMoved
  return { isOver: false, hasMoved }
}

/** Turns the clock until no workflow runs, or to the end. */
const runToEnd = async (trial: Trial): Promise<{ left: readonly Running[]; isComplete: boolean }> => {
  const { clock } = trial
  let left = await running(clock)
  const lastMoment = performance.now() + MAX_MS
  while (left.length > 0) {
    if (clock.entries.length >= MAX_ENTRIES || performance.now() > lastMoment)
      return { left, isComplete: false }
    const { isOver, hasMoved } = await goOn(trial, left)
    if (isOver) return { left, isComplete: true }
    if (hasMoved) left = await running(clock)
  }
  return { left, isComplete: true }
}

type Tried = {
  /** Who starts it. */
  initiator: Principal
  /** Finds users by name. */
  find(name: string): Promise<Principal | undefined>
  /** See `outlookOf`. */
  periodMs: number
  signal: AbortSignal
}

/**
 * Runs a model in a transaction that is rolled back, with a clock that is turned from one moment at which something
 * happens to the next. Workflows that it starts are run, too; what would begin after a commit is not.
 *
 * @throws what the start throws; badRequest for answers of unknown users, or at no time; timeout after a minute.
 */
export const tryRoute = (
  dependencies: SegmentDependencies,
  trial: RouteTrial,
  { initiator, find, periodMs, signal }: Tried,
): Promise<TrialResult> =>
  keepingNothing(dependencies, { principal: initiator, signal }, async (place) => {
    const { modelId, model, variables, until } = trial
    const clock = createClock(place, trial.startedAt)
    const documentIds: string[] = []
    for (const ref of trial.documentIds)
      documentIds.push((await getNamedDocument(place.unit.session, ref)).id)
    const principals = rememberedPrincipals(find)
    for (const { actor } of trial.answers) if (actor !== undefined) await principals.get(actor)
    const answers = createAnswers(trial.answers, principals)
    const wanted = { modelId, documentIds, variables, ...(model && { model }) }
    const { id } = await clock.act(initiator, (context) => beginRoute(context, wanted))
    await clock.addMails({ workflowId: id, workflowModelName: modelId })
    const { left, isComplete } = await runToEnd({ clock, answers, principals, until, periodMs })
    const ended = await clock.read((context) => loadRoute(context.session, id))
    return {
      state: ended.status,
      variables: ended.state.variables,
      entries: clock.entries,
      openTasks: left.flatMap(({ route, tasks }) =>
        tasks.map(({ node, actors, created, dueDate }) => ({
          ...{ workflowModelName: route.modelId, node, actors, created, dueDate },
        })),
      ),
      unusedAnswers: answers.unused(),
      warnings: warningsOf(ended, trial),
      endedAt: clock.now().toISOString(),
      isComplete,
    }
  })
