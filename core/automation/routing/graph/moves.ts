import { fail } from '../../../platform/errors/index.js'
import type { Graph } from '../model/index.js'
import type { RouteHost } from './host.js'
import { cancelOpenTasks, enqueue, leave, type Move, runOf, runQueue } from './move.js'
import type { RouteState } from './state.js'

type Moved = { graph: Graph; state: RouteState; host: RouteHost }

const moveFrom = async (moved: Moved, begin: (move: Move) => Promise<void> | void): Promise<void> => {
  const move: Move = { ...moved, queue: [], subRoutes: [] }
  await begin(move)
  await runQueue(move)
  if (move.state.status !== 'running') await endNodes(move)
}

/** Leaves nothing of a route that has ended open. */
const endNodes = async (move: Move): Promise<void> => {
  for (const run of Object.values(move.state.nodes)) {
    await cancelOpenTasks(move, run)
    if (run.state === 'suspended' || run.state === 'waiting') run.state = 'canceled'
  }
}

/** Starts a route that is ready: changes its state, and has the host do what its nodes say. */
export const startMove = (moved: Moved): Promise<void> =>
  moveFrom(moved, (move) => {
    if (move.state.status !== 'ready') throw fail('conflict', `The route is ${move.state.status} already`)
    move.state.status = 'running'
    enqueue(move, move.graph.start)
  })

/** How somebody has ended a task. */
export type EndedTask = {
  node: string
  taskId: string
  actor: string
  button: string
  comment: string
  /** `comment` came as a variable of the node, which belongs to one task alone. */
  setsComment?: boolean
}

/**
 * Ends a task; the node is left when it was its last open one.
 *
 * @throws conflict when the task or its node is not open any more.
 */
export const endTaskMove = (moved: Moved, ended: EndedTask): Promise<void> =>
  moveFrom(moved, async (move) => {
    const run = runOf(move, ended.node)
    const task = run.tasks.find(({ taskId }) => taskId === ended.taskId)
    if (run.state !== 'suspended' || !task || task.ended)
      throw fail('conflict', `Task ${ended.taskId} is not open any more`)
    const { actor, button, comment } = ended
    Object.assign(task, { ended: true, actor, comment, status: button })
    run.button = button
    if (run.tasks.some(({ ended: isEnded }) => !isEnded)) {
      if (ended.setsComment) run.variables.comment = null
      return
    }
    run.lastActor = actor
    await leave(move, ended.node)
  })

/**
 * Leaves a node without its tasks, or after its sub-workflow.
 *
 * @throws conflict when the node neither is suspended nor waits for a merge.
 */
export const resumeMove = (moved: Moved, node: string): Promise<void> =>
  moveFrom(moved, async (move) => {
    const run = runOf(move, node)
    if (run.state !== 'suspended' && run.state !== 'waiting')
      throw fail('conflict', `Node ${node} is ${run.state}: it cannot be resumed`)
    await cancelOpenTasks(move, run)
    await leave(move, node)
  })

/** Cancels a route with its nodes and tasks. @throws conflict when it has ended. */
export const cancelMove = (moved: Moved): Promise<void> =>
  moveFrom(moved, (move) => {
    if (move.state.status !== 'running' && move.state.status !== 'ready')
      throw fail('conflict', `The route is ${move.state.status} already`)
    move.state.status = 'canceled'
  })
