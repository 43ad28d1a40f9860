import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type ItemFailure, KEPT_FAILURES } from '../../../core/automation/language/index.js'
import type { PackedState } from '../../../core/automation/run-store/index.js'
import { type ExecutionBackend, type ExecutionStores, undone } from './backend.js'

type Iterations = ExecutionStores['iterations']

/** What every store of iterations must do. */
export const describeIterations = (name: string, { transaction, reading }: ExecutionBackend): void => {
  const state: PackedState = { state: { input: { type: 'document', id: 'É' }, variables: {} } }
  const keyOf = () => ({ workflowId: randomUUID(), step: '1' })
  const changing = <Result>(work: (iterations: Iterations) => Promise<Result>) =>
    transaction(({ iterations }) => work(iterations))
  const begun = async (total = 5, entered: PackedState | null = state) => {
    const key = keyOf()
    await changing((iterations) => iterations.begin(key, { total, entered }))
    return key
  }
  const failureAt = (position: number, more: Partial<ItemFailure> = {}): ItemFailure => ({
    position,
    status: 409,
    message: `No ${position}`,
    ...more,
  })
  const withFailures = async (positions: readonly number[]) => {
    const key = await begun(positions.length)
    await changing(async (iterations) => {
      for (const [at, position] of positions.entries()) {
        await iterations.saveCursor(key, at, { hasFailed: true })
        await iterations.addFailure(key, failureAt(position))
      }
    })
    return key
  }
  const { iterations } = reading
  const positionsOf = async (found: Promise<ItemFailure[]>) => (await found).map(({ position }) => position)

  describe(`${name}: iterations`, () => {
    test('begin once, with what they were entered with', async () => {
      const key = keyOf()
      expect(await iterations.cursor(key)).toBeUndefined()
      const begin = (total: number) => changing((stores) => stores.begin(key, { total, entered: state }))
      expect([await begin(3), await begin(4)]).toEqual([true, false])
      expect(await iterations.cursor(key)).toEqual({
        position: 0,
        total: 3,
        failed: 0,
        entered: state,
        handedOn: null,
      })
      expect(await iterations.cursor({ ...key, step: '2' })).toBeUndefined()
      expect(await iterations.cursor(await begun(1, null))).toMatchObject({ entered: null })
    })

    test('give each item to the first transaction that commits', async () => {
      const key = await begun()
      const failing = changing(async (stores) => {
        await stores.saveCursor(key, 0)
        throw undone
      })
      await expect(failing).rejects.toBe(undone)
      const attempts = Array.from({ length: 6 }, () => changing((stores) => stores.saveCursor(key, 0)))
      expect((await Promise.all(attempts)).filter(Boolean)).toHaveLength(1)
      expect(await changing((stores) => stores.saveCursor(key, 2))).toBe(false)
      expect(await changing((stores) => stores.saveCursor(key, 1, { hasFailed: true }))).toBe(true)
      expect(await iterations.cursor(key)).toMatchObject({ position: 2, failed: 1 })
    })

    test('never move back: who comes late for an item gets none, whatever came of it', async () => {
      const key = await begun()
      for (const position of [0, 1, 2]) await changing((stores) => stores.saveCursor(key, position))
      for (const position of [0, 1, 2]) {
        expect(await changing((stores) => stores.saveCursor(key, position))).toBe(false)
        expect(await changing((stores) => stores.saveCursor(key, position, { hasFailed: true }))).toBe(false)
        expect(await iterations.cursor(key)).toMatchObject({ position: 3, failed: 0 })
      }
      expect(await changing((stores) => stores.begin(key, { total: 9, entered: null }))).toBe(false)
      expect(await iterations.cursor(key)).toMatchObject({ position: 3, total: 5, entered: state })
    })

    test('hold the state that the last item has handed on', async () => {
      const key = await begun()
      await changing((stores) => stores.handOn(key, { key: 'first' }))
      await changing((stores) => stores.handOn(key, { key: 'second' }))
      expect(await iterations.cursor(key)).toMatchObject({ entered: state, handedOn: { key: 'second' } })
    })

    test('know the document at their position, and what they learn of their total', async () => {
      const key = await begun()
      const described = async () => (await iterations.ofRun(key.workflowId))[0]
      await changing((stores) => stores.enterItem(key, { position: 0, total: 9, documentId: 'doc' }))
      expect(await described()).toMatchObject({ total: 9, documentId: 'doc' })
      await changing((stores) => stores.enterItem(key, { position: 3, total: 1, documentId: null }))
      expect(await described()).toMatchObject({ total: 9, documentId: 'doc' })
    })

    test('are described with their first failures, and what they stopped at while they stand there', async () => {
      const [key] = [await begun()]
      await changing(async (stores) => {
        await stores.saveCursor(key, 0, { hasFailed: true })
        await stores.addFailure(key, failureAt(0, { id: 'doc' }))
        await stores.stop(key, failureAt(3))
        await stores.stop(key, failureAt(1, { message: 'Stop' }))
      })
      const described = () => iterations.ofRun(key.workflowId)
      const stored = {
        step: '1',
        total: 5,
        failed: 1,
        documentId: null,
        failures: [failureAt(0, { id: 'doc' })],
      }
      expect(await described()).toEqual([
        { ...stored, position: 1, stopped: failureAt(1, { message: 'Stop' }) },
      ])
      await changing((stores) => stores.saveCursor(key, 1))
      expect(await described()).toEqual([{ ...stored, position: 2, stopped: null }])
      expect(await iterations.ofRun(randomUUID())).toEqual([])
    })

    test('are described with so many failures at most, in order', async () => {
      const count = KEPT_FAILURES + 2
      const key = await withFailures(Array.from({ length: count }, (_, at) => count - 1 - at))
      const [described] = await iterations.ofRun(key.workflowId)
      expect(described).toMatchObject({ failed: count })
      expect(described?.failures.map(({ position }) => position)).toEqual([...Array(KEPT_FAILURES).keys()])
    })

    test('list failed items behind one position, up to another, or among some', async () => {
      const key = await withFailures([0, 2, 4, 6])
      const listed = (range: Partial<Parameters<Iterations['failures']>[1]>) =>
        positionsOf(iterations.failures(key, { limit: 10, ...range }))
      expect(await listed({})).toEqual([0, 2, 4, 6])
      expect(await listed({ after: 0, upTo: 4 })).toEqual([2, 4])
      expect(await listed({ among: [6, 2, 3] })).toEqual([2, 6])
      expect(await listed({ among: [] })).toEqual([])
      expect(await listed({ limit: 1, after: 2 })).toEqual([4])
      expect(await iterations.failedPositions(key)).toEqual([0, 2, 4, 6])
      expect(await iterations.failedPositions(key, [4, 5])).toEqual([4])
      expect(await iterations.failures(key, { limit: 1 })).toEqual([failureAt(0)])
    })

    test('give each failed item to one transaction that does it again', async () => {
      const key = await withFailures([0, 1])
      const failing = changing(async (stores) => {
        await stores.resolveFailure(key, 0)
        throw undone
      })
      await expect(failing).rejects.toBe(undone)
      const attempts = Array.from({ length: 6 }, () => changing((stores) => stores.resolveFailure(key, 0)))
      expect((await Promise.all(attempts)).filter(Boolean)).toHaveLength(1)
      expect(await iterations.cursor(key)).toMatchObject({ position: 2, failed: 1 })
      expect(await iterations.failedPositions(key)).toEqual([1])
    })

    test('say what an item has failed with the last time', async () => {
      const key = await begun()
      await changing((stores) => stores.addFailure(key, failureAt(0, { id: 'doc' })))
      await changing((stores) => stores.renewFailure(key, failureAt(0, { status: 400, message: 'Never' })))
      expect(await iterations.failures(key, { limit: 1 })).toEqual([
        { position: 0, status: 400, message: 'Never', id: 'doc' },
      ])
    })
  })
}
