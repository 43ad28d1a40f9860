import { SYSTEM } from '../../../access/security/index.js'
import type { OperationContext } from '../../language/index.js'
import {
  emitEscalated,
  loadRoute,
  type Route,
  runChainAt,
  saveRoute,
  setChanged,
} from '../instances/index.js'
import { type Task, taskOf } from '../tasks/index.js'
import { type Candidate, candidatesOf, outlookOf } from './outlook.js'

/** The open tasks of a route: those that it has created in this transaction as they were then. */
export const openTasksOf = async (
  { session }: Pick<OperationContext, 'session'>,
  { state, created }: Pick<Route, 'state' | 'created'>,
): Promise<Task[]> => {
  const ids = Object.values(state.nodes).flatMap(({ tasks }) =>
    tasks.filter(({ ended }) => !ended).map(({ taskId }) => taskId),
  )
  const others = await session.stores.documents.getMany(ids.filter((id) => !created.has(id)))
  const tasks = new Map([...created, ...others.map((record) => [record.id, taskOf(record)] as const)])
  return ids.flatMap((id) => tasks.get(id) ?? [])
}

export type RuleCall = { routeId: string; node: string; rule: string }

/** The rules of a route that are to be executed now. */
export const dueRules = async (
  context: OperationContext,
  { routeId, periodMs }: { routeId: string; periodMs: number },
): Promise<RuleCall[]> => {
  const route = await loadRoute(context.session, routeId)
  const due: RuleCall[] = []
  for (const candidate of candidatesOf(route, await openTasksOf(context, route))) {
    const { isDue, node, rule } = await outlookOf(context, { route, candidate, periodMs })
    if (isDue) due.push({ routeId, node, rule: rule.name })
  }
  return due
}

const isCalled = ({ node, rule }: RuleCall, candidate: Candidate): boolean =>
  candidate.node === node && candidate.rule.name === rule

const write = async (
  { session }: OperationContext,
  route: Route,
  { node, rule }: RuleCall,
  { error }: { error: string | null },
): Promise<void> => {
  const run = route.state.nodes[node]
  const executionDate = session.now.toISOString()
  if (!run) return
  const { executed = 0, executionDate: last = null } = run.rules[rule] ?? {}
  run.rules[rule] =
    error === null
      ? { executed: executed + 1, executionDate }
      : { executed, executionDate: last, failedAt: executionDate }
  if (error !== null) await emitEscalated(session, route, { node, rule, error })
  await saveRoute(session, route)
  await session.stores.routes.recordEscalation(route.id, { node, rule, error, executedAt: session.now })
}

/**
 * Executes a rule as the system, unless it does not hold any more. What its chain does to the route, and that it was
 * executed, is one transaction.
 *
 * @returns whether it was executed.
 * @throws what its chain throws, or its condition.
 */
export const executeRule = async (
  context: OperationContext,
  { call, periodMs }: { call: RuleCall; periodMs: number },
): Promise<boolean> => {
  const inside = context.within({ principal: SYSTEM })
  const { routeId, node } = call
  const route = await loadRoute(inside.session, routeId, { hold: true })
  const candidates = candidatesOf(route, await openTasksOf(inside, route))
  const candidate = candidates.find((each) => isCalled(call, each))
  if (!candidate) return false
  const { isDue, failure } = await outlookOf(inside, { route, candidate, periodMs })
  if (!isDue) return false
  if (failure) throw failure
  await write(inside, route, call, { error: null })
  const changed = await runChainAt(inside, { route, node, due: candidate.due }, candidate.rule.chain)
  // The chain may have moved the route.
  const after = await loadRoute(inside.session, routeId, { hold: true })
  setChanged(after, node, changed)
  await emitEscalated(inside.session, after, { ...call, error: null })
  await saveRoute(inside.session, after)
  return true
}

/** Takes note of an execution that has failed for good; the rule is tried again a period later. */
export const recordFailure = async (
  context: OperationContext,
  call: RuleCall,
  error: string,
): Promise<void> => {
  const inside = context.within({ principal: SYSTEM })
  await write(inside, await loadRoute(inside.session, call.routeId, { hold: true }), call, { error })
}
