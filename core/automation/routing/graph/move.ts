import { fail } from '../../../platform/errors/index.js'
import { type Graph, type Input, type NodeModel, nodeOf, type Transition } from '../model/index.js'
import type { RouteHost } from './host.js'
import type { NodeRun, RouteState } from './state.js'

/** Executions of nodes in one move (workflow-audit.md §2, Run). */
const MAX_EXECUTIONS = 100

/** A move under way. `queue`: the nodes whose turn comes. */
export type Move = { graph: Graph; state: RouteState; host: RouteHost; queue: string[]; subRoutes: string[] }

export const runOf = ({ state }: Pick<Move, 'state'>, id: string): NodeRun => {
  const run = state.nodes[id]
  if (!run) throw fail('conflict', `The route has no node ${id}`)
  return run
}

export const enqueue = ({ queue }: Move, id: string): void => {
  if (!queue.includes(id)) queue.push(id)
}

const inputsOf = ({ graph }: Move, id: string): readonly Input[] => graph.inputs.get(id) ?? []

const wasTaken = (move: Move, { source, transition }: Input): boolean =>
  runOf(move, source).results[transition.name] === true

const mayMerge = (move: Move, id: string): boolean => {
  const inputs = inputsOf(move, id)
  const taken = inputs.filter((input) => wasTaken(move, input)).length
  return nodeOf(move.graph, id).merge === 'one' ? taken > 0 : taken === inputs.length
}

export const cancelOpenTasks = async ({ state, host }: Move, run: NodeRun): Promise<void> => {
  const open = run.tasks.filter(({ ended }) => !ended)
  if (open.length > 0) await host.cancelTasks(state, open)
  for (const task of open) {
    task.ended = true
    task.status = null
  }
}

/** Resets what still leads to a node that merges; a source that waits ends the way back. */
const cancelInputs = async (move: Move, id: string): Promise<void> => {
  const seen = new Set<string>()
  const waiting = [id]
  for (let target = waiting.pop(); target !== undefined; target = waiting.pop()) {
    for (const { source } of inputsOf(move, target).filter(({ isLoop }) => !isLoop)) {
      if (seen.has(source)) continue
      seen.add(source)
      const run = runOf(move, source)
      const isSuspended = run.state === 'suspended'
      run.canceled++
      run.state = 'ready'
      move.queue = move.queue.filter((queued) => queued !== source)
      if (isSuspended) await cancelOpenTasks(move, run)
      else waiting.push(source)
    }
  }
}

/** The transitions that are taken, in stored order. */
const evaluate = async (move: Move, id: string): Promise<Transition[]> => {
  const { executeOnlyFirstTransition, transitions } = nodeOf(move.graph, id)
  const run = runOf(move, id)
  run.results = {}
  const taken: Transition[] = []
  for (const transition of transitions) {
    const isTaken = await move.host.isTrue(move.state, { node: id, transition })
    run.results[transition.name] = isTaken
    if (isTaken) taken.push(transition)
    if (isTaken && executeOnlyFirstTransition) break
  }
  return taken
}

/** Names the buttons of a task that was ended by another one: a mistake of whoever calls by hand. */
const buttonHint = ({ taskButtons }: NodeModel, { button }: NodeRun): string => {
  const names = taskButtons.map(({ name }) => name)
  if (button === null || names.length === 0 || names.includes(button)) return ''
  return ` after the button "${button}": its buttons are ${names.join(', ')}`
}

export const leave = async (move: Move, id: string): Promise<void> => {
  const { graph, state, host } = move
  const node = nodeOf(graph, id)
  const { outputChain, stop } = node
  const run = runOf(move, id)
  if (outputChain) await host.runChain(state, { node: id, chain: outputChain })
  const taken = await evaluate(move, id)
  run.endDate = host.now().toISOString()
  run.state = 'ready'
  host.passed?.(id, { transitions: taken.map(({ name }) => name) })
  if (stop) {
    state.status = 'done'
    return
  }
  if (taken.length === 0)
    throw fail('operationFailed', `No transition of node ${id} is true${buttonHint(node, run)}`)
  for (const transition of taken) {
    if (transition.chain) await host.runChain(state, { node: id, chain: transition.chain, transition })
    enqueue(move, transition.targetId)
  }
}

const enter = async (move: Move, id: string): Promise<void> => {
  const { graph, state, host } = move
  const { inputChain, hasTask, subRouteModelExpr } = nodeOf(graph, id)
  const run = runOf(move, id)
  for (const { source, transition } of inputsOf(move, id))
    runOf(move, source).results[transition.name] = false
  run.count++
  run.startDate = host.now().toISOString()
  run.tasks = []
  run.button = null
  host.passed?.(id)
  if (inputChain) await host.runChain(state, { node: id, chain: inputChain })
  if (!hasTask && subRouteModelExpr === undefined) return leave(move, id)
  run.state = 'suspended'
  if (hasTask) run.tasks = await host.createTasks(state, id)
  else if (!move.subRoutes.includes(id)) move.subRoutes.push(id)
}

const execute = async (move: Move, id: string): Promise<void> => {
  const run = runOf(move, id)
  const { merge } = nodeOf(move.graph, id)
  if (run.state !== 'ready' && run.state !== 'waiting') return
  if (merge === undefined) return enter(move, id)
  run.state = 'waiting'
  if (!mayMerge(move, id)) return
  await cancelInputs(move, id)
  await enter(move, id)
}

export const runQueue = async (move: Move): Promise<void> => {
  for (let executions = 0; move.state.status === 'running'; executions++) {
    const id = move.queue.shift()
    if (id === undefined) {
      if (await startSubRoutes(move)) continue
      return
    }
    if (executions >= MAX_EXECUTIONS) throw fail('operationFailed', 'Execution is looping')
    await execute(move, id)
  }
}

/** @returns whether one has ended at once, so that its node goes on. */
const startSubRoutes = async (move: Move): Promise<boolean> => {
  let hasMoved = false
  for (const id of move.subRoutes.splice(0)) {
    const run = runOf(move, id)
    // A merge has cancelled the node since it was entered, or the sub-workflow before has ended the route.
    if (run.state !== 'suspended' || move.state.status !== 'running') continue
    const { id: subRouteId, isDone } = await move.host.startSubRoute(move.state, id)
    run.subRouteId = subRouteId
    if (!isDone) continue
    hasMoved = true
    await leave(move, id)
  }
  return hasMoved
}
