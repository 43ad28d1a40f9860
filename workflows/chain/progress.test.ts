import { expect, test } from 'vitest'
import type { PlanNode } from '../../core/automation/planning/index.js'
import { detailsOf, progressOf } from './progress.js'
import type { ChainRun } from './types.js'

const segment = (title: string): PlanNode => ({ kind: 'segment', title, steps: [], isSlow: false })
const loop: PlanNode = {
  kind: 'loop',
  title: 'loop over found',
  target: 'one',
  over: 'list',
  step: { operation: 'RunOperationOnList', params: {} },
}

const runWith = (loops?: ChainRun['loops']): ChainRun => ({
  plan: { chainId: 'all', nodes: [segment('find'), loop, segment('answer')], chains: {}, params: [] },
  principal: 'ann',
  requestId: 'r',
  state: { state: { input: { type: 'void' }, variables: {} } },
  ...(loops && { loops }),
})

const report = {
  position: 6,
  total: 6,
  failed: 1,
  failures: [{ position: 4, status: 400, message: 'approved already' }],
}

test('the loop that runs is shown beside the nodes, one that is done with its node', () => {
  const run = runWith({ 1: report })
  expect(progressOf(run, 1)).toMatchObject({
    loop: report,
    nodes: [{ status: 'done' }, { status: 'running' }, {}],
  })
  expect(progressOf(run, 1).nodes[1]).not.toHaveProperty('loop')
  expect(progressOf(run, 3)).not.toHaveProperty('loop')
  expect(progressOf(run, 3).nodes[1]).toMatchObject({ status: 'done', loop: report })
})

test.each([
  [0, undefined, ['- [ ] **running** segment: find', '- [ ] loop: loop over found', '- [ ] segment: answer']],
  [
    1,
    { ...report, position: 3, failed: 0, failures: [] },
    ['- [x] segment: find', '- [ ] **running** loop: loop over found: 3 of 6 items', '- [ ] segment: answer'],
  ],
  [
    3,
    report,
    [
      '- [x] segment: find',
      '- [x] loop: loop over found: 6 of 6 items, 1 failed',
      '    - item 4: approved already',
      '- [x] segment: answer',
    ],
  ],
] as const)('an operator reads every step at node %i', (current, loopReport, lines) => {
  const run = runWith(loopReport && { 1: loopReport })
  expect(detailsOf(progressOf(run, current)).split('\n')).toEqual(lines)
})

test('an item that is a document is shown with it', () => {
  const failures = [{ position: 0, id: 'doc-1', status: 400, message: 'no' }]
  const loops = { 1: { position: 1, total: 1, failed: 1, failures } }
  expect(detailsOf(progressOf(runWith(loops), 3))).toContain('- item 0 doc-1: no')
})

test('by its path, where that is known', () => {
  const failures = [{ position: 0, id: 'doc-1', path: '/a/b', status: 400, message: 'no' }]
  const loops = { 1: { position: 1, total: 1, failed: 1, failures } }
  expect(detailsOf(progressOf(runWith(loops), 3))).toContain('- item 0 /a/b: no')
})

test('many failures are cut short', () => {
  const failures = Array.from({ length: 25 }, (_, position) => ({ position, status: 500, message: 'no' }))
  const details = detailsOf(progressOf(runWith({ 1: { position: 25, total: 25, failed: 25, failures } }), 3))
  expect(details).toContain('item 9')
  expect(details).not.toContain('item 10')
  expect(details).toContain('and 15 more')
})
