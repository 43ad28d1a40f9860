import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { InlineRun } from '../../../core/automation/run-store/index.js'
import type { ExecutionBackend } from './backend.js'

/** What every record of inline runs must do. */
export const describeInlineRuns = (name: string, { transaction, reading }: ExecutionBackend): void => {
  const runOf = (wanted: Partial<InlineRun> = {}): InlineRun => ({
    runId: randomUUID(),
    chainId: 'chain',
    principal: 'ann',
    requestId: 'request',
    title: 'A, B',
    startedAt: new Date('2020-01-01T00:00:00.123Z'),
    ...wanted,
  })
  const failure = { code: 'badRequest', status: 400, message: 'No' }
  const complete = (run: InlineRun) => transaction(({ inlineRuns }) => inlineRuns.complete(run))
  const fail = (run: InlineRun) =>
    transaction(({ inlineRuns }) => inlineRuns.fail(run, failure, { input: 'x' }))

  describe(`${name}: inline runs`, () => {
    test('are found as they ended, failed ones with what they were asked', async () => {
      const [done, failed] = [runOf(), runOf({ documentId: '/path' })]
      await complete(done)
      await fail(failed)
      expect(await reading.inlineRuns.find(done.runId)).toEqual({ ...done, closedAt: expect.any(Date) })
      expect(await reading.inlineRuns.find(failed.runId)).toEqual({
        ...failed,
        closedAt: expect.any(Date),
        failure,
        request: { input: 'x' },
      })
      expect(await reading.inlineRuns.find(randomUUID())).toBeUndefined()
    })

    test('are written together as they are one by one, those that had failed among them', async () => {
      const [a, b] = [runOf({ documentId: '/path', event: 'documentCreated' }), runOf()]
      await fail(b)
      await transaction(({ inlineRuns }) => inlineRuns.completeAll([a, b]))
      for (const run of [a, b])
        expect(await reading.inlineRuns.find(run.runId)).toEqual({ ...run, closedAt: expect.any(Date) })
    })

    test('that had failed complete, and none that has completed fails', async () => {
      const run = runOf()
      await fail(run)
      await complete(run)
      expect(await reading.inlineRuns.find(run.runId)).not.toHaveProperty('failure')
      await fail(run)
      expect(await reading.inlineRuns.find(run.runId)).not.toHaveProperty('failure')
    })

    test('are listed from the one that ended last, by what they are', async () => {
      const principal = randomUUID()
      const [a, b, c] = [
        runOf({ principal }),
        runOf({ principal, chainId: 'other', documentId: '/doc', event: 'documentCreated' }),
        runOf({ principal, startedAt: new Date('2021-01-01T00:00:00.000Z') }),
      ] as const
      for (const run of [a, b]) {
        await complete(run)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      await fail(c)
      const list = async (
        filter: Parameters<typeof reading.inlineRuns.list>[0],
        page: Parameters<typeof reading.inlineRuns.list>[1] = { limit: 10 },
      ) => {
        const runs = await reading.inlineRuns.list({ principal, ...filter }, page)
        return runs.map(({ runId }) => [a, b, c].findIndex((run) => run.runId === runId))
      }
      expect(await list({})).toEqual([2, 1, 0])
      expect(await list({}, { limit: 2 })).toEqual([2, 1])
      expect(await list({ hasFailed: true })).toEqual([2])
      expect(await list({ hasFailed: false })).toEqual([1, 0])
      expect(await list({ chainId: 'other' })).toEqual([1])
      expect(await list({ documentIds: ['/doc', '/none'] })).toEqual([1])
      expect(await list({ event: 'documentCreated' })).toEqual([1])
      expect(await list({ event: 'documentRemoved' })).toEqual([])
      expect(await list({ from: c.startedAt })).toEqual([2])
      expect(await list({ to: c.startedAt })).toEqual([1, 0])
      const [, second] = await reading.inlineRuns.list({ principal }, { limit: 2 })
      expect(await list({}, { limit: 10, before: second!.closedAt })).toEqual([0])
    })
  })
}
