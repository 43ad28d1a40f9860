import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { KeptIncident } from '../../../core/automation/run-store/index.js'
import type { ExecutionBackend } from './backend.js'

/** What every record of incidents must do. */
export const describeIncidents = (name: string, { transaction, reading }: ExecutionBackend): void => {
  const failure = { code: 'badRequest', status: 400, message: 'No' }
  const incident = (errorChain: string, more: object = {}): KeptIncident =>
    ({ kind: 'errorChain', errorChain, after: failure, outcome: 'completed', ...more }) as KeptIncident
  const record = (workflowId: string, step: string, incidents: readonly KeptIncident[]) =>
    transaction((stores) => stores.incidents.record({ workflowId, step }, incidents))
  const list = async (workflowId: string, limit = 10) => {
    const { entries, count } = await reading.incidents.list(workflowId, limit)
    return [entries.map((entry) => (entry.kind === 'errorChain' ? entry.errorChain : '')).join(' '), count]
  }

  describe(`${name}: incidents`, () => {
    test('are those of a run and of the runs below it, in order', async () => {
      const run = randomUUID()
      await record(run, '0', [incident('a'), incident('b')])
      await record(`${run}/1/0`, '0', [incident('below')])
      await record(`${run}0`, '0', [incident('another')])
      expect(await list(run)).toEqual(['a b below', 3])
      const { entries } = await reading.incidents.list(run, 1)
      expect(entries[0]).toEqual({ ...incident('a'), workflowId: run, step: '0', at: expect.any(Date) })
      expect(await list(randomUUID())).toEqual(['', 0])
    })

    test('replace those of an earlier attempt of the step', async () => {
      const run = randomUUID()
      await record(run, '0', [incident('first'), incident('second')])
      await record(run, '1', [incident('other')])
      await record(run, '0', [incident('again')])
      expect((await list(run))[1]).toBe(2)
    })

    test('are counted with those that were left out, and what ended the run is never left out', async () => {
      const run = randomUUID()
      await record(run, '0', [incident('a', { omitted: 7 })])
      await record(run, '1', [incident('b')])
      await record(run, '2', [incident('last', { endsRun: true })])
      expect(await list(run)).toEqual(['a b last', 10])
      expect((await list(run, 2))[0]).toBe('a last')
    })
  })
}
