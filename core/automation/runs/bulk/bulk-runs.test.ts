import { expect, test } from 'vitest'
import { principalOf } from '../../../access/security/index.js'
import type { SegmentDependencies } from '../../execution/index.js'
import type { BulkCommand } from '../../language/index.js'
import type { UnitOfWork } from '../../run-store/index.js'
import type { RunDescription } from '../run.js'
import { createBulkRuns } from './bulk-runs.js'

const ADMINISTRATOR = principalOf('Administrator', [], true)

const COMMAND = {
  id: '01234567-89ab-cdef-0123-456789abcdef',
  principal: 'Administrator',
  action: 'trash',
  work: { target: 'Document.Trash', parameters: {}, chains: {} },
  state: 'ABORTED',
  processed: 1,
  collected: 3,
  failed: 0,
  failures: [],
  error: null,
  isStarted: true,
} as unknown as BulkCommand

test('a command is resumed after one look at its workflow, and goes on', async () => {
  let command = COMMAND
  const described: string[] = []
  const bulk = {
    find: async () => command,
    resume: async () => {
      command = { ...command, state: 'RUNNING', isStarted: false }
      return true
    },
  }
  const unit = { session: { principal: ADMINISTRATOR }, bulk } as unknown as UnitOfWork
  const runs = createBulkRuns({
    workflows: {
      find: async (workflowId) => {
        described.push(workflowId)
        return { workflowId, chainId: 'bulk trash', status: 'CANCELLED' } as RunDescription
      },
    },
    current: async () => ({
      registry: { find: () => undefined } as never,
      segments: {
        units: { transaction: (_: unknown, work: (given: UnitOfWork) => unknown) => work(unit) },
        services: { limits: { openBulkCommands: 1 } },
      } as unknown as SegmentDependencies,
    }),
  })
  expect(await runs.resume(COMMAND, ADMINISTRATOR)).toMatchObject({
    status: 'RUNNING',
    items: { done: 1, failed: 0, total: 3 },
  })
  expect(described).toEqual([`bulk-${COMMAND.id}`])
})
