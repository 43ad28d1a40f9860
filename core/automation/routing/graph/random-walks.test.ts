import { expect, test } from 'vitest'
import { seededRandom, testSeed } from '../../../../test/support/random.js'
import { sized } from '../../../../test/support/size.js'
import { graphOf, type RouteModel } from '../model/index.js'
import { endTaskMove, startMove } from './index.js'
import { modelOf, openTasks, openWalk, to, waitingIn } from './walks.fixture.js'

const BUTTONS = ['yes', 'no']
const MAX_STEPS = 12

/** The same rules in the plainest way: sets of what is open, what waits, and which ways were taken. */
const plainWalk = (model: RouteModel) => {
  const { inputs } = graphOf(model)
  const [open, waiting, taken] = [new Set<string>(), new Set<string>(), new Set<string>()]
  let queue: string[] = []
  let outcome: 'running' | 'done' | 'failed' = 'running'
  const edge = (source: string, name: string): string => `${source}>${name}`
  const into = (id: string) => inputs.get(id) ?? []
  const leave = (id: string, button?: string): void => {
    const { transitions, stop } = model.nodes[id]!
    const ways = transitions.filter(({ condition }) => condition === 'true' || condition === button)
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
  const run = (): void => {
    for (let steps = 0; outcome === 'running' && queue.length > 0; steps++) {
      const id = queue.shift()!
      if (steps >= 100) outcome = 'failed'
      if (outcome === 'failed' || open.has(id)) continue
      const { merge, hasTask } = model.nodes[id]!
      const arrived = into(id).filter(({ source, transition }) => taken.has(edge(source, transition.name)))
      const isReady = merge === 'one' ? arrived.length > 0 : arrived.length === into(id).length
      if (merge && !isReady) waiting.add(id)
      if (merge && !isReady) continue
      if (merge) reset(id, new Set())
      waiting.delete(id)
      for (const { source, transition } of into(id)) taken.delete(edge(source, transition.name))
      if (hasTask) open.add(id)
      else leave(id)
    }
  }
  return {
    start: (id: string) => {
      queue.push(id)
      run()
    },
    end: (id: string, button: string) => {
      open.delete(id)
      leave(id, button)
      run()
    },
    outcome: () => outcome,
    holding: () => [...open, ...waiting].sort(),
  }
}

const randomModel = (random: () => number): RouteModel => {
  const count = 3 + Math.floor(random() * 6)
  const any = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!
  const ids = Array.from({ length: count }, (_, index) => `n${index}`)
  const nodeOf = (index: number): object => {
    if (index === count - 1) return { stop: true }
    const targets = new Set([ids[index + 1]!, ...(random() < 0.6 ? [any(ids.slice(1))] : [])])
    const hasTask = random() < 0.6
    return {
      start: index === 0,
      ...(index > 1 && random() < 0.4 && { merge: any(['one', 'all']) }),
      ...(hasTask && { hasTask, taskAssignees: ['ann'] }),
      transitions: [...targets].map((target) => to(target, random() < 0.5 ? 'true' : any(BUTTONS))),
    }
  }
  return modelOf(Object.fromEntries(ids.map((id, index) => [id, nodeOf(index)])))
}

test('random walks over random models stand where the plain rules stand, at each step', async () => {
  const random = seededRandom(testSeed())
  for (let round = 0; round < sized({ full: 10_000, sample: 400 }); round++) {
    const model = randomModel(random)
    const [plain, walk] = [plainWalk(model), openWalk(model)]
    const attempt = async (work: () => Promise<void>): Promise<void> => {
      const isRefused = await work().then(
        () => false,
        () => true,
      )
      const outcome = isRefused ? 'failed' : walk.state.status
      expect(outcome, JSON.stringify(model)).toBe(plain.outcome())
      if (outcome === 'running')
        expect(waitingIn(walk.state).sort(), JSON.stringify(model)).toEqual(plain.holding())
    }
    plain.start('n0')
    await attempt(() => startMove(walk.moved))
    for (let step = 0; plain.outcome() === 'running' && step < MAX_STEPS; step++) {
      const tasks = openTasks(walk.state)
      const task = tasks[Math.floor(random() * tasks.length)]
      if (!task) break
      const button = BUTTONS[Math.floor(random() * 2)]!
      plain.end(task.node, button)
      await attempt(() => endTaskMove(walk.moved, { ...task, actor: 'ann', button, comment: '' }))
    }
  }
})
