import { initialVariables, type RouteModel, type Variables } from '../model/index.js'

/** What became of a task of a node. `status`: the button; null for a task that was cancelled. */
export type TaskInfo = {
  taskId: string
  actor: string | null
  comment: string | null
  status: string | null
  ended: boolean
  /** Who had it before it was given to others. */
  formerActors?: string[]
}

/** How often a rule was executed, when last, and when it has failed since. ISO 8601. */
export type RuleRun = { executed: number; executionDate: string | null; failedAt?: string }

export type NodeState = 'ready' | 'waiting' | 'suspended' | 'canceled'

/** Where a node of a route stands. Dates are ISO 8601. */
export type NodeRun = {
  state: NodeState
  /** How often it was entered, and how often it was reset by a merge. */
  count: number
  canceled: number
  startDate: string | null
  endDate: string | null
  button: string | null
  lastActor: string | null
  variables: Variables
  /** Whether its transitions were taken, by name, when it was left last. */
  results: { [transition: string]: boolean }
  tasks: TaskInfo[]
  subRouteId: string | null
  rules: { [name: string]: RuleRun }
}

export type RouteStatus = 'ready' | 'running' | 'done' | 'canceled'

/** Where a route stands: all that changes while it runs. */
export type RouteState = {
  status: RouteStatus
  variables: Variables
  nodes: { [id: string]: NodeRun }
  /** Who has set a variable last, but for administrators: whom it names gets no more than they have. */
  setBy?: { [variable: string]: string }
  /** Of a part: who had set variables of the whole when it began, from which those of the part came. */
  choosers?: string[]
}

const newNode = (variables: Variables): NodeRun => ({
  state: 'ready',
  count: 0,
  canceled: 0,
  startDate: null,
  endDate: null,
  button: null,
  lastActor: null,
  variables,
  results: {},
  tasks: [],
  subRouteId: null,
  rules: {},
})

/** A route that has not begun. */
export const newState = ({ nodes, variables }: RouteModel): RouteState => ({
  status: 'ready',
  variables: initialVariables(variables),
  nodes: Object.fromEntries(
    Object.entries(nodes).map(([id, node]) => [id, newNode(initialVariables(node.variables))]),
  ),
})
