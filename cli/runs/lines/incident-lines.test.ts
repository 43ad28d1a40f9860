import { expect, test } from 'vitest'
import type { RunEntity } from '../../server/index.js'
import { incidentLines } from './incident-lines.js'

const failure = { status: 404, message: 'gone' }
const skipped = { operation: 'RunDocumentOperation', target: 'one', input: { path: '/a' }, failure }

const run = (incidents: RunEntity['incidents']): RunEntity => ({
  workflowId: 'run',
  chainId: 'chain',
  principal: 'ann',
  status: 'COMPLETED',
  startedAt: '2026-01-01T00:00:00Z',
  incidentCount: incidents.length,
  incidents,
  nodes: [
    { title: 'Log', kind: 'segment', status: 'done' },
    {
      title: 'RunDocumentOperation one',
      kind: 'loop',
      status: 'done',
      loop: { position: 2, total: 2, failed: 1, failures: [{ position: 0, path: '/a', ...failure }] },
    },
  ],
})

test('an item that failed is listed once, as an item', () => {
  expect(incidentLines(run([{ ...skipped, node: 1, position: 0 }]))).toEqual([])
})

test('other failures after which a run continued have lines of their own', () => {
  const others: RunEntity['incidents'] = [
    { ...skipped, node: 0 },
    { ...skipped, node: 1, position: 1 },
    { ...skipped, node: 1, position: 0, failure: { status: 400, message: 'another' } },
    { ...skipped, run: 'run/1/0', node: 1, position: 0 },
    { errorChain: 'clean', after: failure, node: 1, position: 0 },
  ]
  expect(incidentLines(run(others))).toEqual([
    'node 0: RunDocumentOperation one skipped /a after failure: gone (404)',
    'node 1 item 1: RunDocumentOperation one skipped /a after failure: gone (404)',
    'node 1 item 0: RunDocumentOperation one skipped /a after failure: another (400)',
    'run/1/0 node 1 item 0: RunDocumentOperation one skipped /a after failure: gone (404)',
    'node 1 item 0: error chain clean ran after: gone (404)',
  ])
})
