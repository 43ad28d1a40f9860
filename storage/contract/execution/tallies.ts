import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { NewBulkCommand } from '../../../core/automation/language/index.js'
import type { KeptIncident, PackedState } from '../../../core/automation/run-store/index.js'
import { parseNxql } from '../../../core/model/nxql/index.js'
import type { ExecutionBackend } from './backend.js'

/** What every store must answer that sums up runs. */
export const describeRunTallies = (name: string, { transaction, reading }: ExecutionBackend): void => {
  const entered: PackedState = { key: 'state' }
  const incident = { kind: 'skipped', failure: {}, omitted: 2 } as unknown as KeptIncident
  const command = (): NewBulkCommand => ({
    id: randomUUID(),
    principal: 'Ute',
    requestId: 'request',
    action: 'setProperties',
    query: parseNxql('SELECT * FROM File'),
    queryLimit: null,
    work: { target: 'Document.SetProperty', parameters: {}, chains: {} },
    bucketSize: 100,
    batchSize: 10,
    rate: null,
    repairs: null,
  })
  /** A loop that has done and failed so many items. */
  const loop = (workflowId: string, step: string, { done = 0, failed = 0, total = 0 }) =>
    transaction(async ({ iterations }) => {
      const key = { workflowId, step }
      await iterations.begin(key, { total, entered })
      for (let at = 0; at < done + failed; at++)
        await iterations.saveCursor(key, at, { hasFailed: at < failed })
    })

  describe(`${name}: tallies of runs`, () => {
    test('sum up the loops of a run, and say how many stand before their end', async () => {
      const run = randomUUID()
      await loop(run, '0', { done: 2, failed: 1, total: 3 })
      await loop(run, '1', { done: 1, total: 4 })
      expect(await reading.tallies.of([{ workflowId: run }])).toEqual([
        { workflowId: run, items: { done: 3, failed: 1, total: 7, stopped: 1 }, incidentCount: 0 },
      ])
    })

    test('are those of its command for a run in bulk', async () => {
      const given = command()
      const [workflowId, ids] = [randomUUID(), [randomUUID(), randomUUID(), randomUUID()]]
      await transaction(({ bulk }) => bulk.submit(given))
      await transaction(({ bulk }) => bulk.collect(given.id, 0, ids, { isLast: true }))
      const failure = { position: 0, id: ids[0]!, status: 409, message: 'No' }
      await transaction(({ bulk }) => bulk.advance(given.id, 0, { count: 2, failure }))
      expect(await reading.tallies.of([{ workflowId, commandId: given.id }])).toEqual([
        { workflowId, items: { done: 1, failed: 1, total: 3, stopped: 0 }, incidentCount: 0 },
      ])
    })

    test('count incidents of the run and of those below it, with those that were left out', async () => {
      const run = randomUUID()
      for (const workflowId of [run, `${run}/1/0`, `${run}0`])
        await transaction(({ incidents }) => incidents.record({ workflowId, step: '0' }, [incident]))
      expect(await reading.tallies.of([{ workflowId: run }])).toEqual([
        { workflowId: run, items: null, incidentCount: 6 },
      ])
    })

    test('leave out runs of which there is nothing', async () => {
      const run = randomUUID()
      await loop(run, '0', { total: 1 })
      const asked = [{ workflowId: randomUUID() }, { workflowId: run }, { workflowId: randomUUID() }]
      expect((await reading.tallies.of(asked)).map(({ workflowId }) => workflowId)).toEqual([run])
      expect(await reading.tallies.of([])).toEqual([])
    })
  })
}
