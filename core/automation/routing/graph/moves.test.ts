import { expect, test } from 'vitest'
import { cancelMove, endTaskMove, resumeMove, startMove } from './index.js'
import { modelOf, openTasks, routeOn, to, waitingIn } from './moves.fixture.js'

const TASK = { hasTask: true, taskAssignees: ['ann'] }
const END = { stop: true }
type RouteUnderTest = ReturnType<typeof routeOn>

const end = ({ moved }: RouteUnderTest, node: string, button = 'ok', setsComment = false): Promise<void> => {
  const taskId = openTasks(moved.state).find((task) => task.node === node)?.taskId ?? 'none'
  return endTaskMove(moved, { node, taskId, actor: 'ann', button, comment: '', setsComment })
}

const started = async (...given: Parameters<typeof routeOn>): Promise<RouteUnderTest> => {
  const route = routeOn(...given)
  await startMove(route.moved)
  return route
}

test('a route runs to its stop, with the chains of its nodes and transitions in order', async () => {
  const { state, log } = await started(
    modelOf({
      a: {
        start: true,
        inputChain: 'in',
        outputChain: 'out',
        transitions: [to('b', 'true', { chain: 'way' })],
      },
      b: { ...END, inputChain: 'last' },
    }),
  )
  expect(state.status).toBe('done')
  expect(log).toEqual(['a: in', 'a: out', 'a: way', 'b: last'])
  expect(state.nodes.a).toMatchObject({ state: 'ready', count: 1, results: { 'to-b-true': false } })
})

test('a node with a task waits for it, and its button decides where it goes', async () => {
  const route = await started(
    modelOf({
      a: { start: true, ...TASK, transitions: [to('a', 'again'), to('b', 'ok')] },
      b: END,
    }),
  )
  expect(waitingIn(route.state)).toEqual(['a'])
  await end(route, 'a', 'again')
  expect(route.state.nodes.a).toMatchObject({ count: 2, state: 'suspended', lastActor: 'ann' })
  await expect(end(route, 'a', 'no')).rejects.toThrow('No transition of node a is true')
})

test('a node with several tasks goes on after the last, and keeps no comment for the others', async () => {
  const route = await started(
    modelOf({
      a: {
        start: true,
        ...TASK,
        taskAssignees: ['ann', 'bob'],
        hasMultipleTasks: true,
        variables: { comment: {} },
        transitions: [to('b')],
      },
      b: END,
    }),
  )
  route.state.nodes.a!.variables.comment = 'fine'
  await end(route, 'a', 'ok', true)
  expect(route.state.nodes.a).toMatchObject({ state: 'suspended', variables: { comment: null } })
  await end(route, 'a')
  expect(route.state.status).toBe('done')
})

test('a task that is not open any more is refused', async () => {
  const route = await started(modelOf({ a: { start: true, ...TASK, transitions: [to('b')] }, b: END }))
  await end(route, 'a')
  await expect(
    endTaskMove(route.moved, { node: 'a', taskId: 'a-1', actor: 'ann', button: 'ok', comment: '' }),
  ).rejects.toMatchObject({ code: 'conflict' })
})

const forked = (merge: 'one' | 'all') =>
  modelOf({
    a: { start: true, transitions: [to('b'), to('c')] },
    b: { ...TASK, transitions: [to('d')] },
    c: { ...TASK, transitions: [to('d')] },
    d: { ...TASK, merge, transitions: [to('e')] },
    e: END,
  })

test('a fork runs all ways, and a merge of all waits for them', async () => {
  const route = await started(forked('all'))
  expect(waitingIn(route.state)).toEqual(['b', 'c'])
  await end(route, 'c')
  expect(waitingIn(route.state)).toEqual(['b', 'd'])
  await end(route, 'b')
  expect(waitingIn(route.state)).toEqual(['d'])
  expect(route.state.nodes.d!.count).toBe(1)
})

test('a merge of one cancels what else leads to it', async () => {
  const route = await started(forked('one'))
  await end(route, 'b')
  expect(waitingIn(route.state)).toEqual(['d'])
  expect(route.log).toEqual(['cancel c-2'])
  expect(route.state.nodes.c).toMatchObject({ canceled: 1, state: 'ready' })
})

test('of exclusive transitions the first true one is taken', async () => {
  const { state } = await started(
    modelOf({
      a: { start: true, executeOnlyFirstTransition: true, transitions: [to('b', 'no'), to('c'), to('d')] },
      b: END,
      c: { ...TASK, transitions: [to('b')] },
      d: { ...TASK, transitions: [to('b')] },
    }),
  )
  expect(waitingIn(state)).toEqual(['c'])
})

test('a route that runs in circles ends with an error', async () => {
  await expect(started(modelOf({ a: { start: true, transitions: [to('a')] } }))).rejects.toThrow(
    'Execution is looping',
  )
})

const nested = modelOf({
  a: { start: true, subRouteModelExpr: 'other', transitions: [to('b')] },
  b: END,
})

test('a sub-workflow holds its node until it has ended', async () => {
  const route = await started(nested)
  expect(route.state.nodes.a).toMatchObject({ state: 'suspended', subRouteId: 'sub-a' })
  await resumeMove(route.moved, 'a')
  expect(route.state.status).toBe('done')
  expect((await started(nested, { isDone: true })).state.status).toBe('done')
})

test('a node may be resumed without its tasks, and a route cancelled with them', async () => {
  const [resumed, cancelled] = [await started(forked('all')), await started(forked('all'))]
  await resumeMove(resumed.moved, 'b')
  expect(waitingIn(resumed.state)).toEqual(['c', 'd'])
  await expect(resumeMove(resumed.moved, 'a')).rejects.toMatchObject({ code: 'conflict' })
  await cancelMove(cancelled.moved)
  expect(cancelled.state).toMatchObject({ status: 'canceled', nodes: { b: { state: 'canceled' } } })
  expect(openTasks(cancelled.state)).toEqual([])
  await expect(cancelMove(cancelled.moved)).rejects.toMatchObject({ code: 'conflict' })
})

test('what ends a route leaves no task open', async () => {
  const route = await started(
    modelOf({
      a: { start: true, transitions: [to('b'), to('c')] },
      b: { ...TASK, transitions: [to('d')] },
      c: { ...TASK, transitions: [to('d')] },
      d: END,
    }),
  )
  await end(route, 'b')
  expect(route.state.status).toBe('done')
  expect(openTasks(route.state)).toEqual([])
  expect(route.log).toEqual(['cancel c-2'])
})

test('a sub-workflow of a node that a merge has cancelled meanwhile does not start', async () => {
  const model = modelOf({
    a: { start: true, transitions: [to('s'), to('m')] },
    s: { subRouteModelExpr: 'inner', transitions: [to('m')] },
    m: { merge: 'one', hasTask: true, taskAssignees: ['ann'], transitions: [to('end')] },
    end: { stop: true },
  })
  for (const isDone of [true, false]) {
    const { moved, state, log } = routeOn(model, { isDone })
    await startMove(moved)
    expect(log).toEqual([])
    expect(waitingIn(state)).toEqual(['m'])
  }
})
