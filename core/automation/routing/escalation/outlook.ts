import { type ArchivoltError, isArchivoltError } from '../../../platform/errors/index.js'
import type { OperationContext } from '../../language/index.js'
import { isTrueIn, type Place, type Route } from '../instances/index.js'
import type { EscalationRule } from '../model/index.js'
import type { Task } from '../tasks/index.js'
import { type Moments, workflowFunctions } from './functions.js'
import { nextMoment } from './next-moment.js'

/** A rule of a node that waits, and may be executed. */
export type Candidate = { node: string; rule: EscalationRule; due: string | null }

/**
 * Whether a rule is to be executed now, or when it is to be looked at again, ms since 1970; null: never by itself. With a
 * `failure` its condition cannot be evaluated, which is what its execution comes to.
 */
export type Outlook = Candidate & { isDue: boolean; at: number | null; failure?: ArchivoltError }

/** The rules that may be executed, by node and in the order of their names. */
export const candidatesOf = ({ model, state }: Route, tasks: readonly Task[]): Candidate[] =>
  Object.entries(state.nodes).flatMap(([node, run]) => {
    if (run.state !== 'suspended') return []
    const dates = tasks.flatMap((task) => (task.node === node && task.dueDate ? [task.dueDate] : [])).sort()
    return [...(model.nodes[node]?.escalationRules ?? [])]
      .filter(({ name, multipleExecution }) => multipleExecution || (run.rules[name]?.executed ?? 0) === 0)
      .sort((a, b) => (a.name < b.name ? -1 : 1))
      .map((rule) => ({ node, rule, due: dates[0] ?? null }))
  })

const momentsOf = (route: Route, { node, rule, due }: Candidate, now: Date): Moments => {
  const run = route.state.nodes[node]
  return {
    now: now.getTime(),
    routeStarted: route.startedAt.getTime(),
    taskStarted: run?.startDate ? Date.parse(run.startDate) : null,
    due: due === null ? null : Date.parse(due),
    rule: run?.rules[rule.name],
  }
}

/**
 * How it stands with a rule. A rule that holds again and again is executed once a period at most, and so is looked at one
 * whose answer depends on more than time. A condition that cannot be evaluated fails its rule once, until it is tried again.
 *
 * @param periodMs the reference's period of evaluations.
 */
export const outlookOf = async (
  context: OperationContext,
  { route, candidate, periodMs }: { route: Route; candidate: Candidate; periodMs: number },
): Promise<Outlook> => {
  const { node, rule, due } = candidate
  const { now } = context.session
  const moments = momentsOf(route, candidate, now)
  const place: Place = { route, node, due }
  const later = (at: number | null): Outlook => ({ ...candidate, isDue: false, at })
  const last = Math.max(
    moments.rule?.executionDate ? Date.parse(moments.rule.executionDate) : 0,
    moments.rule?.failedAt ? Date.parse(moments.rule.failedAt) : 0,
  )
  try {
    const what = `Escalation rule ${rule.name} of node ${node}`
    const asked = { place, expression: rule.condition, functions: workflowFunctions(moments), what }
    if (await isTrueIn(context, asked))
      return last + periodMs > moments.now ? later(last + periodMs) : { ...candidate, isDue: true, at: null }
  } catch (error) {
    if (!isArchivoltError(error) || error.retryable) throw error
    if (moments.rule?.failedAt) return later(moments.now + periodMs)
    return { ...candidate, isDue: true, at: null, failure: error }
  }
  return later(nextMoment(rule.condition, moments, periodMs))
}
