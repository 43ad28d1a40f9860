import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { CHUNK_SIZE, type NewBulkCommand } from '../../../core/automation/language/index.js'
import { parseNxql } from '../../../core/model/nxql/index.js'
import { type ExecutionBackend, undone } from './backend.js'

/** What every store of bulk commands must do. */
export const describeBulkStore = (name: string, { transaction, reading }: ExecutionBackend): void => {
  const commandOf = (wanted: Partial<NewBulkCommand> = {}): NewBulkCommand => ({
    id: randomUUID(),
    principal: randomUUID(),
    requestId: 'request',
    action: 'setProperties',
    query: parseNxql("SELECT * FROM File WHERE dc:title = 'a'"),
    queryLimit: null,
    work: { target: 'Document.SetProperty', parameters: { value: 'É' }, chains: {} },
    bucketSize: 100,
    batchSize: 10,
    rate: null,
    repairs: null,
    ...wanted,
  })
  const submitted = async (wanted: Partial<NewBulkCommand> = {}) => {
    const command = commandOf(wanted)
    await transaction(({ bulk }) => bulk.submit(command))
    return command
  }
  const { bulk, transient } = reading
  const idsOf = (count: number) => Array.from({ length: count }, () => randomUUID())
  const collect = (id: string, from: number, ids: readonly string[], isLast: boolean) =>
    transaction((stores) => stores.bulk.collect(id, from, ids, { isLast }))

  describe(`${name}: bulk commands`, () => {
    test('are kept as they were given, and wait to be started', async () => {
      const command = await submitted({ queryLimit: 5, rate: 3 })
      expect(await bulk.find(command.id)).toEqual({
        ...command,
        state: 'SCHEDULED',
        collected: 0,
        lastId: null,
        processed: 0,
        failed: 0,
        failures: [],
        error: null,
        submittedAt: expect.any(Date),
        scrollStartedAt: null,
        scrollEndedAt: null,
        completedAt: null,
        isStarted: false,
        isUncommitted: false,
      })
      const isWaiting = async () => (await bulk.waiting()).some(({ id }) => id === command.id)
      expect(await isWaiting()).toBe(true)
      await transaction((stores) => stores.bulk.markStarted(command.id))
      expect(await isWaiting()).toBe(false)
      expect(await bulk.find(randomUUID())).toBeUndefined()
    })

    test('are known as uncommitted to their own transaction alone', async () => {
      const command = commandOf()
      await transaction(async (stores) => {
        await stores.bulk.submit(command)
        expect(await stores.bulk.find(command.id)).toMatchObject({ isUncommitted: true })
      })
    })

    test('are counted by user until they end', async () => {
      const { principal, id } = await submitted()
      await submitted({ principal })
      const open = () => transaction((stores) => stores.bulk.holdOpen(principal))
      expect(await open()).toBe(2)
      expect(await transaction((stores) => stores.bulk.end(id, 'COMPLETED'))).toBe(true)
      expect(await transaction((stores) => stores.bulk.end(id, 'ABORTED', 'late'))).toBe(false)
      expect(await open()).toBe(1)
      expect(await bulk.find(id)).toMatchObject({
        state: 'COMPLETED',
        completedAt: expect.any(Date),
        error: null,
      })
    })

    test('collect ids page by page, each page once', async () => {
      const { id } = await submitted()
      const [first, second] = [idsOf(CHUNK_SIZE), idsOf(3)]
      expect(await collect(id, 0, first, false)).toBe(true)
      expect(await collect(id, 0, first, false)).toBe(false)
      expect(await bulk.find(id)).toMatchObject({
        state: 'SCROLLING_RUNNING',
        collected: CHUNK_SIZE,
        lastId: first.at(-1),
      })
      expect(await collect(id, CHUNK_SIZE, second, true)).toBe(true)
      expect(await bulk.find(id)).toMatchObject({
        state: 'RUNNING',
        collected: CHUNK_SIZE + 3,
        lastId: second[2],
      })
      expect(await transient.getList(id, 0, CHUNK_SIZE + 3)).toEqual([...first, ...second])
    })

    test('advance by one transaction at a time, and note what failed', async () => {
      const { id } = await submitted()
      const ids = idsOf(5)
      await collect(id, 0, ids, true)
      const failure = { position: 2, id: ids[2]!, status: 409, message: 'No' }
      const advance = (from: number, outcome: { count: number; failure?: typeof failure }) =>
        transaction((stores) => stores.bulk.advance(id, from, outcome))
      expect([await advance(0, { count: 2 }), await advance(0, { count: 2 })]).toEqual([true, false])
      const failing = transaction(async (stores) => {
        await stores.bulk.advance(id, 2, { count: 1 })
        throw undone
      })
      await expect(failing).rejects.toBe(undone)
      expect(await advance(2, { count: 1, failure })).toBe(true)
      expect(await bulk.find(id)).toMatchObject({ processed: 3, failed: 1, failures: [failure] })
      expect(await bulk.failures(id, { after: -1, limit: 10 })).toEqual([failure])
      expect(await bulk.failures(id, { after: 2, limit: 10 })).toEqual([])
      expect(await bulk.failedIds(id)).toEqual([ids[2]])
      expect(await bulk.failedIds(id, [0, 1])).toEqual([])
      await transaction((stores) =>
        stores.bulk.renewFailure(id, { id: ids[2]!, status: 400, message: 'Never' }),
      )
      expect((await bulk.failures(id, { after: -1, limit: 1 }))[0]).toMatchObject({
        status: 400,
        message: 'Never',
      })
    })

    test('give each failed document to one transaction that does it again', async () => {
      const { id } = await submitted()
      const ids = idsOf(2)
      await collect(id, 0, ids, true)
      for (const [position, documentId] of ids.entries())
        await transaction((stores) =>
          stores.bulk.advance(id, position, {
            count: 1,
            failure: { position, id: documentId, status: 500, message: 'x' },
          }),
        )
      const [first = ''] = ids
      const claim = () => transaction((stores) => stores.bulk.resolveFailures(id, [first]))
      expect([await claim(), await claim()]).toEqual([[first], []])
      expect(await bulk.find(id)).toMatchObject({ failed: 1 })
    })

    test('that were aborted go on where they were', async () => {
      const { id } = await submitted()
      await collect(id, 0, idsOf(2), true)
      await transaction((stores) => stores.bulk.end(id, 'ABORTED', 'stop'))
      expect(await transaction((stores) => stores.bulk.advance(id, 0, { count: 1 }))).toBe(false)
      expect(await bulk.find(id)).toMatchObject({ state: 'ABORTED', error: 'stop' })
      const resume = () => transaction((stores) => stores.bulk.resume(id))
      expect([await resume(), await resume()]).toEqual([true, false])
      expect(await bulk.find(id)).toMatchObject({
        state: 'RUNNING',
        error: null,
        completedAt: null,
        isStarted: false,
      })
    })
  })
}
