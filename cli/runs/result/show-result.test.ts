import { expect, test, vi } from 'vitest'
import { EXIT } from '../../failures/index.js'
import { runEntity, type Server } from '../../server/index.js'
import { createTerminal } from '../../terminal/index.js'
import { exitCodeOfRun } from '../run-state.js'
import { showResult } from './show-result.js'

const run = (fields: object) =>
  runEntity.parse({
    workflowId: 'bulk-1',
    chainId: 'bulk trash',
    principal: 'ann',
    status: 'COMPLETED',
    startedAt: '2026-01-31T12:00:00Z',
    ...fields,
  })

test('a bulk command has no result to ask for', async () => {
  const call = vi.fn(() => Promise.resolve(new Response(null, { status: 204 })))
  const server = { url: '', call, read: vi.fn() } as unknown as Server
  const shown = { terminal: createTerminal(process), options: {} }
  await showResult(server, { ...shown, run: run({ execution: 'bulk' }) })
  expect(call).not.toHaveBeenCalled()
  await showResult(server, { ...shown, run: run({ execution: 'workflow' }) })
  expect(call).toHaveBeenCalledOnce()
})

const loop = (failed: number) => [
  { title: 'loop', kind: 'loop', status: 'done', loop: { position: 3, total: 3, failed, failures: [] } },
]

test.each([
  ['a run that passed over items is done', { nodes: loop(1) }, EXIT.ok],
  ['one that did failed items again is done', { repairs: 'run-1', nodes: loop(0) }, EXIT.ok],
  ['one of which items failed again has failed', { repairs: 'run-1', nodes: loop(1) }, EXIT.failed],
  ['one that goes on has not', { repairs: 'run-1', nodes: loop(1), status: 'RUNNING' }, EXIT.ok],
  [
    'one that was cancelled was cancelled',
    { repairs: 'run-1', nodes: loop(1), status: 'CANCELLED' },
    EXIT.cancelled,
  ],
])('%s', (_, fields, code) => {
  expect(exitCodeOfRun(run(fields))).toBe(code)
})
