import { expect, test } from 'vitest'
import { runText } from './text.js'
import type { RunReport } from './types.js'

const at = (second: number) => new Date(Date.UTC(2026, 0, 2, 3, 4, second))
const failure = { code: 'forbidden', status: 403, message: 'No' }

const FAILED: RunReport = {
  workflowId: 'walk-1',
  chainId: 'walk',
  execution: 'workflow',
  principal: 'ann',
  status: 'FAILED',
  startedAt: at(5),
  closedAt: at(6),
  nodes: [
    { title: 'Log', kind: 'segment', status: 'done' },
    {
      title: 'each',
      kind: 'loop',
      status: 'failed',
      loop: { position: 4, total: 9, failed: 1, failures: [{ position: 1, status: 403, message: 'No' }] },
    },
    {
      title: 'many',
      kind: 'loop',
      status: 'waiting',
      loop: { position: 0, total: 2, failed: 0, failures: [] },
    },
  ],
  failure,
  incidents: [
    {
      kind: 'passedOver',
      operation: 'RunOperation',
      target: 'x',
      input: { type: 'void' },
      failure,
      at: at(5),
      node: 0,
    },
    { kind: 'errorChain', errorChain: 'recover', after: failure, outcome: 'completed', at: at(6), node: 1 },
  ],
}

test('a trace has all that is known of a run', () => {
  expect(runText(FAILED).split('\n')).toEqual([
    'Chain: walk',
    'Run: walk-1',
    'User: ann',
    'State: FAILED',
    'Started: 2026-01-02T03:04:05.000Z',
    'Ended: 2026-01-02T03:04:06.000Z',
    'Steps:',
    '  0. Log (segment): done',
    '  1. each (loop): failed, 4 of 9 items, 1 failed',
    '  2. many (loop): waiting, 0 of 2 items, 0 failed',
    'Failure: 403 forbidden: No',
    'Incidents:',
    '  2026-01-02T03:04:05.000Z node 0: RunOperation skipped x after 403 forbidden: No',
    '  2026-01-02T03:04:06.000Z node 1: error chain recover completed, after 403 forbidden: No',
  ])
})

test('a trace leaves out what is not known', () => {
  const { nodes: _, failure: __, incidents: ___, ...run } = FAILED
  expect(runText({ ...run, status: 'RUNNING', closedAt: undefined, documentId: '/a' })).toBe(
    'Chain: walk\nRun: walk-1\nUser: ann\nDocument: /a\nState: RUNNING\nStarted: 2026-01-02T03:04:05.000Z',
  )
})
