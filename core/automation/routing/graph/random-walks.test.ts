import { expect, test } from 'vitest'
import { seededRandom, testSeed } from '../../../../test/support/random.js'
import { sized } from '../../../../test/support/size.js'
import { graphOf, type RouteModel } from '../model/index.js'
import { endTaskMove, type RouteState, resumeMove, startMove } from './index.js'
import { modelOf, openTasks, routeOn, to, waitingIn } from './moves.fixture.js'

const BUTTONS = ['yes', 'no']
const MAX_STEPS = 12

/** The same rules in the plainest way: sets of what is open, what waits, and which ways were taken. */
const plainMoves = (model: RouteModel, subRoutes: { isDone: boolean }) => {
  const { inputs } = graphOf(model)
  const [waiting, taken] = [new Set<string>(), new Set<string>()]
  /** Nodes that wait for so many tasks, or for one sub-workflow. */
  const open = new Map<string, number>()
  let entered: string[] = []
  let queue: string[] = []
  let outcome: 'running' | 'done' | 'failed' = 'running'
  const edge = (source: string, name: string): string => `${source}>${name}`
  const into = (id: string) => inputs.get(id) ?? []
  const leave = (id: string, button?: string): void => {
    const { transitions, stop, executeOnlyFirstTransition } = model.nodes[id]!
    const ways = transitions
      .filter(({ condition }) => condition === 'true' || condition === button)
      .slice(0, executeOnlyFirstTransition ? 1 : undefined)
    for (const { name } of transitions) taken.delete(edge(id, name))
    for (const { name } of ways) taken.add(edge(id, name))
    if (stop) outcome = 'done'
    else if (ways.length === 0) outcome = 'failed'
    for (const { targetId } of ways) if (!queue.includes(targetId)) queue.push(targetId)
  }
  const reset = (id: string, seen: Set<string>): void => {
    for (const { source } of into(id).filter(({ isLoop }) => !isLoop)) {
      if (seen.has(source)) continue
      seen.add(source)
      queue = queue.filter((queued) => queued !== source)
      waiting.delete(source)
      if (!open.delete(source)) reset(source, seen)
    }
  }
  /** Sub-workflows start when nothing else moves; those that end at once let their nodes go on. */
  const startSubRoutes = (): boolean => {
    const started = entered
    entered = []
    let hasMoved = false
    for (const id of started)
      if (subRoutes.isDone && outcome === 'running' && open.delete(id)) {
        hasMoved = true
        leave(id)
      }
    return hasMoved
  }
  const run = (): void => {
    for (let steps = 0; outcome === 'running'; steps++) {
      const id = queue.shift()
      if (id === undefined && startSubRoutes()) continue
      if (id === undefined) return
      if (steps >= 100) outcome = 'failed'
      if (outcome === 'failed' || open.has(id)) continue
      const { merge, hasTask, hasMultipleTasks, taskAssignees, subRouteModelExpr } = model.nodes[id]!
      const arrived = into(id).filter(({ source, transition }) => taken.has(edge(source, transition.name)))
      const isReady = merge === 'one' ? arrived.length > 0 : arrived.length === into(id).length
      if (merge && !isReady) waiting.add(id)
      if (merge && !isReady) continue
      if (merge) reset(id, new Set())
      waiting.delete(id)
      for (const { source, transition } of into(id)) taken.delete(edge(source, transition.name))
      if (hasTask) open.set(id, hasMultipleTasks ? taskAssignees.length : 1)
      else if (subRouteModelExpr === undefined) leave(id)
      else {
        open.set(id, 1)
        if (!entered.includes(id)) entered.push(id)
      }
    }
  }
  return {
    start: (id: string) => {
      queue.push(id)
      run()
    },
    /** Ends a task by a button, or a sub-workflow. */
    end: (id: string, button?: string) => {
      const left = (open.get(id) ?? 0) - 1
      if (left > 0) {
        open.set(id, left)
        return
      }
      open.delete(id)
      leave(id, button)
      run()
    },
    outcome: () => outcome,
    holding: () => [...open.keys(), ...waiting].sort(),
  }
}

/** Nodes that wait for their sub-workflows. */
const openSubRoutes = ({ nodes }: RouteState): { node: string }[] =>
  Object.entries(nodes).flatMap(([node, { state, subRouteId }]) =>
    state === 'suspended' && subRouteId !== null ? [{ node }] : [],
  )

const randomModel = (random: () => number): RouteModel => {
  const count = 3 + Math.floor(random() * 6)
  const any = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!
  const ids = Array.from({ length: count }, (_, index) => `n${index}`)
  const nodeOf = (index: number): object => {
    if (index === count - 1) return { stop: true }
    const targets = new Set([ids[index + 1]!, ...(random() < 0.6 ? [any(ids.slice(1))] : [])])
    const hasTask = random() < 0.6
    const taskAssignees = ['ann', 'bob', 'eve'].slice(0, 1 + Math.floor(random() * 3))
    return {
      start: index === 0,
      executeOnlyFirstTransition: random() < 0.3,
      ...(index > 1 && random() < 0.4 && { merge: any(['one', 'all']) }),
      ...(hasTask && { hasTask, taskAssignees, hasMultipleTasks: random() < 0.4 }),
      ...(!hasTask && random() < 0.3 && { subRouteModelExpr: 'inner' }),
      transitions: [...targets].map((target) => to(target, random() < 0.5 ? 'true' : any(BUTTONS))),
    }
  }
  return modelOf(Object.fromEntries(ids.map((id, index) => [id, nodeOf(index)])))
}

test('random walks over random models stand where the plain rules stand, at each step', async () => {
  const random = seededRandom(testSeed())
  for (let round = 0; round < sized({ full: 10_000, sample: 400 }); round++) {
    const model = randomModel(random)
    const subRoutes = { isDone: random() < 0.5 }
    const [plain, route] = [plainMoves(model, subRoutes), routeOn(model, subRoutes)]
    const attempt = async (work: () => Promise<void>): Promise<void> => {
      const isRefused = await work().then(
        () => false,
        () => true,
      )
      const outcome = isRefused ? 'failed' : route.state.status
      expect(outcome, JSON.stringify(model)).toBe(plain.outcome())
      if (outcome === 'running')
        expect(waitingIn(route.state).sort(), JSON.stringify(model)).toEqual(plain.holding())
    }
    plain.start('n0')
    await attempt(() => startMove(route.moved))
    for (let step = 0; plain.outcome() === 'running' && step < MAX_STEPS; step++) {
      const ends: { node: string; taskId?: string }[] = [
        ...openTasks(route.state),
        ...openSubRoutes(route.state),
      ]
      const end = ends[Math.floor(random() * ends.length)]
      if (!end) break
      const button = BUTTONS[Math.floor(random() * 2)]!
      const { node, taskId } = end
      plain.end(node, taskId === undefined ? undefined : button)
      await attempt(() =>
        taskId === undefined
          ? resumeMove(route.moved, node)
          : endTaskMove(route.moved, { node, taskId, actor: 'ann', button, comment: '' }),
      )
    }
  }
})
