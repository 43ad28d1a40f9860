import { expect, test, vi } from 'vitest'
import { principalOf } from '../core/access/security/index.js'
import type { NewRun } from '../core/automation/runs/index.js'
import { fail } from '../core/platform/errors/index.js'
import { callChain } from './call-chain.js'
import type { RunsContext } from './context.js'

test('what a call has sent counts before its run begins, and beyond the budget none begins', async () => {
  const spend = vi.fn(async (_: number) => {
    throw fail('insufficientStorage', 'the budget is used up')
  })
  const start = vi.fn()
  const context = {
    ...{ client: { workflow: { start } }, taskQueue: 'queue', embedded: () => undefined },
    units: { reading: () => ({ session: { writes: { spend } } }) },
  } as unknown as RunsContext
  const run = {
    chain: { id: 'chain', aliases: [], params: [], steps: [] },
    principal: principalOf('eve', ['members'], false),
    request: { input: { type: 'void' }, params: { value: 'x'.repeat(10_000) }, variables: {} },
  } as unknown as NewRun
  await expect(callChain(context, run)).rejects.toMatchObject({ code: 'insufficientStorage' })
  expect(spend.mock.calls[0]?.[0]).toBeGreaterThan(10_000)
  expect(start).not.toHaveBeenCalled()
})
