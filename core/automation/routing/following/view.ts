import type { OperationContext } from '../../language/index.js'
import { candidatesOf, openTasksOf, outlookOf } from '../escalation/index.js'
import type { RouteStatus } from '../graph/index.js'
import type { Route } from '../instances/index.js'
import { distinct } from '../tasks/index.js'

/** How often a rule of a node was executed, and when last; ISO 8601. */
type RouteEscalations = {
  node: string
  rule: string
  executed: number
  executedAt: string | null
  /** Its last execution has failed then. */
  failedAt: string | null
}

const escalationsOf = ({ state }: Pick<Route, 'state'>): RouteEscalations[] =>
  Object.entries(state.nodes).flatMap(([node, { rules }]) =>
    Object.entries(rules).map(([rule, { executed, executionDate, failedAt = null }]) => ({
      ...{ node, rule, executed, executedAt: executionDate, failedAt },
    })),
  )

/** What the workflow of a route knows of it: what it shows to operators, and when it looks again. */
export type RouteView = {
  status: RouteStatus
  modelId: string
  /** Nodes that wait. */
  nodes: string[]
  assignees: string[]
  /** Of the open task that is due first, ISO 8601. */
  dueDate: string | null
  /** Rules that were executed, or have failed; absent in what was written before there were any. */
  escalations?: RouteEscalations[]
  /** Milliseconds until a rule is to be evaluated; null: none is. */
  wakeInMs: number | null
}

export const viewOf = async (
  context: OperationContext,
  { route, periodMs }: { route: Route; periodMs: number },
): Promise<RouteView> => {
  const tasks = await openTasksOf(context, route)
  const moments: number[] = []
  const now = context.session.now.getTime()
  for (const candidate of candidatesOf(route, tasks)) {
    const { isDue, at } = await outlookOf(context, { route, candidate, periodMs })
    if (isDue) moments.push(now)
    else if (at !== null) moments.push(at)
  }
  const due = tasks.flatMap(({ dueDate }) => dueDate ?? []).sort()
  return {
    status: route.state.status,
    modelId: route.modelId,
    nodes: Object.keys(route.state.nodes).filter((id) =>
      ['suspended', 'waiting'].includes(route.state.nodes[id]!.state),
    ),
    assignees: distinct(tasks.flatMap(({ actors, delegatedActors }) => [...actors, ...delegatedActors])),
    dueDate: due[0] ?? null,
    escalations: escalationsOf(route),
    wakeInMs: moments.length === 0 ? null : Math.max(0, Math.min(...moments) - now),
  }
}
