import { graphOf, type RouteModel, routesPoint } from '../model/index.js'
import { newState, type RouteHost, type RouteState } from './index.js'

/** A model from less than its schema asks for. */
export const modelOf = (nodes: { [id: string]: object }, more: object = {}): RouteModel =>
  routesPoint.schema.parse({ nodes, ...more })

export const to = (targetId: string, condition = 'true', more: object = {}) => ({
  name: `to-${targetId}-${condition}`,
  targetId,
  condition,
  ...more,
})

/** A route whose conditions are `true`, `false` or the name of a button, and a log of what its host was asked. */
export const routeOn = (model: RouteModel, subRoutes: { isDone: boolean } = { isDone: false }) => {
  const log: string[] = []
  let tasks = 0
  const host: RouteHost = {
    now: () => new Date(0),
    runChain: async (_, { node, chain }) => void log.push(`${node}: ${chain}`),
    isTrue: async (state, { node, transition: { condition } }) =>
      condition === 'true' || state.nodes[node]?.button === condition,
    createTasks: async (_, node) => {
      const { taskAssignees, hasMultipleTasks } = model.nodes[node]!
      const count = hasMultipleTasks ? taskAssignees.length : 1
      return Array.from({ length: count }, () => ({
        taskId: `${node}-${++tasks}`,
        actor: null,
        comment: null,
        status: null,
        ended: false,
      }))
    },
    cancelTasks: async (_, cancelled) => void log.push(`cancel ${cancelled.map(({ taskId }) => taskId)}`),
    startSubRoute: async (_, node) => {
      log.push(`sub ${node}`)
      return { id: `sub-${node}`, ...subRoutes }
    },
  }
  const state = newState(model)
  return { moved: { graph: graphOf(model), state, host }, state, log }
}

/** Open tasks of a route, by node. */
export const openTasks = ({ nodes }: RouteState): { node: string; taskId: string }[] =>
  Object.entries(nodes).flatMap(([node, { tasks }]) =>
    tasks.filter(({ ended }) => !ended).map(({ taskId }) => ({ node, taskId })),
  )

export const waitingIn = (state: RouteState): string[] =>
  Object.keys(state.nodes).filter((id) => ['suspended', 'waiting'].includes(state.nodes[id]!.state))
