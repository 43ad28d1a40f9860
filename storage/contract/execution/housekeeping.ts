import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Removed } from '../../../core/automation/run-store/index.js'
import type { ExecutionBackend } from './backend.js'

const NONE: Removed = {
  transientEntries: 0,
  receipts: 0,
  loops: 0,
  inlineRuns: 0,
  incidents: 0,
  bulkCommands: 0,
  openRuns: 0,
  loginTries: 0,
  events: 0,
  auditEntries: 0,
}

/** Runs are kept for a month; what their steps put aside for less. */
const MONTH = 31

/** What every cleaner of what runs leave behind must do. It is the last suite: all that others have left is gone. */
export const describeHousekeeping = (
  name: string,
  { transaction, reading, housekeeping, age }: ExecutionBackend,
): void => {
  const leave = async () => {
    const workflowId = randomUUID()
    const key = { workflowId, step: '0' }
    const run = {
      runId: workflowId,
      chainId: 'chain',
      principal: 'ann',
      requestId: 'request',
      title: 'Log',
      startedAt: new Date(),
    }
    await transaction(async (stores) => {
      await stores.receipts.record(key, 'done')
      await stores.iterations.begin(key, { total: 1, entered: null })
      await stores.transient.put(workflowId, 'aside')
      await stores.inlineRuns.complete(run)
    })
    return {
      isKept: async () => ({
        receipt: (await reading.receipts.find(key)) !== undefined,
        loop: (await reading.iterations.cursor(key)) !== undefined,
        aside: (await reading.transient.get(workflowId)) !== undefined,
        run: (await reading.inlineRuns.find(workflowId)) !== undefined,
      }),
    }
  }

  describe(`${name}: housekeeping`, () => {
    test('removes what is older than runs are kept, and counts it', async () => {
      await age(MONTH)
      await housekeeping.removeExpired()
      const old = await leave()
      await age(MONTH)
      const young = await leave()
      expect(await housekeeping.removeExpired()).toEqual({
        ...NONE,
        ...{ receipts: 1, loops: 1, transientEntries: 1, inlineRuns: 1 },
      })
      expect(await old.isKept()).toEqual({ receipt: false, loop: false, aside: false, run: false })
      expect(await young.isKept()).toEqual({ receipt: true, loop: true, aside: true, run: true })
    })

    test('leaves what is not as old, and finds nothing a second time', async () => {
      const { isKept } = await leave()
      await age(MONTH - 2)
      await housekeeping.removeExpired()
      expect(await isKept()).toMatchObject({ receipt: true, loop: true, run: true })
      expect(await housekeeping.removeExpired()).toEqual(NONE)
    })
  })
}
