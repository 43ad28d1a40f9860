import { expect, test } from 'vitest'
import type { RunEntity } from '../../server/index.js'
import { changedLines, failureLines, liveLines, stepLines } from './progress-lines.js'

type Node = RunEntity['nodes'][number]

const node = (status: Node['status'], title = 'Log', kind = 'segment'): Node => ({ title, kind, status })

const run = (nodes: Node[], more: Partial<RunEntity> = {}): RunEntity => ({
  workflowId: 'demo-1',
  chainId: 'demo',
  principal: 'ann',
  status: 'RUNNING',
  startedAt: '2026-01-01T00:00:00.000Z',
  nodes,
  incidents: [],
  incidentCount: 0,
  ...more,
})

const failure = { position: 4, status: 404, message: 'no such\ndocument' }
const loop = { position: 120, total: 500, failed: 1, failures: [failure] }

test('marks each step, and counts the items of the loop that runs', () => {
  expect(stepLines(run([node('done'), node('running', 'close', 'loop'), node('waiting')], { loop }))).toEqual(
    ['[x] segment Log', '[>] loop    close  120 of 500 items, 1 failed', '[ ] segment Log'],
  )
})

test('marks the step at which a run has stopped', () => {
  expect(stepLines(run([node('running')], { status: 'FAILED' }))).toEqual(['[!] segment Log'])
})

test('a step that an error chain has answered is marked before the run has ended, too', () => {
  const nodes = [node('caught'), node('skipped')]
  for (const status of ['RUNNING', 'COMPLETED'])
    expect(stepLines(run(nodes, { status }))).toEqual(['[!] segment Log', '[-] segment Log'])
})

test('a loop that is done keeps its items', () => {
  const report = { position: 2, total: 2, failed: 0, failures: [] }
  expect(stepLines(run([{ ...node('done', 'close', 'loop'), loop: report }]))).toEqual([
    '[x] loop    close  2 of 2 items',
  ])
})

test('a title gives no orders to the terminal', () => {
  expect(stepLines(run([node('done', 'a\x1b[2Jb\nc')]))).toEqual(['[x] segment a\uFFFD[2Jb c'])
})

test('says in a log only what has changed', () => {
  const before = run([node('running'), node('waiting')])
  expect(changedLines(undefined, before)).toEqual(['1/2 [>] segment Log'])
  expect(changedLines(before, before)).toEqual([])
  expect(changedLines(before, run([node('done'), node('running')]))).toEqual([
    '1/2 [x] segment Log',
    '2/2 [>] segment Log',
  ])
})

test('shows the steps around the running one when there are many', () => {
  const steps = (done: number): Node[] =>
    [...Array(30).keys()].map((index) =>
      node(index < done ? 'done' : index === done ? 'running' : 'waiting', `step ${index}`),
    )
  expect(liveLines(run(steps(0)))).toHaveLength(12)
  const middle = liveLines(run(steps(15)))
  expect([middle[0], middle[6], middle.at(-1)]).toEqual([
    '    10 steps before',
    '[>] segment step 15',
    '    9 steps more',
  ])
  expect(liveLines(run(steps(30))).at(-1)).toBe('[x] segment step 29')
})

test('names the items that failed', () => {
  expect(failureLines(run([node('running', 'close', 'loop')], { loop }))).toEqual([
    'item 4: no such document (404)',
  ])
})

test('reports their document, and their loop where there are several', () => {
  const loopOf = (position: number, more = {}) => ({
    ...node('done', 'close', 'loop'),
    loop: {
      position: 9,
      total: 9,
      failed: 1,
      failures: [{ position, status: 404, message: 'gone', ...more }],
    },
  })
  expect(failureLines(run([node('done'), loopOf(4, { id: 'id-4', path: '/a b' })]))).toEqual([
    'item 4 /a b: gone (404)',
  ])
  expect(failureLines(run([loopOf(0), node('done'), loopOf(7, { id: 'id-7' })]))).toEqual([
    'node 0 item 0: gone (404)',
    'node 2 item 7 id-7: gone (404)',
  ])
})
