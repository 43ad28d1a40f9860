import { expect, test } from 'vitest'
import { principalOf } from '../../access/security/index.js'
import { KEPT_MESSAGE, type Value, VOID } from '../language/index.js'
import { createMemoryUnits } from '../run-store/memory.fixture.js'
import type { Iteration } from './iteration.js'
import { failureOf, skipItem } from './outcomes.js'

const ANN = principalOf('ann', [], false)
const ORIGIN = { workflowId: 'run', step: '1' }
const RETRY = { workflowId: 'retry', step: '0' }
const STATE = { state: { input: VOID, variables: {} } }

const itemAt = (position: number, value: Value = VOID) => ({ index: 0, position, value })
const failureAt = (position: number, message: string) => ({ position, status: 400, message })

test('a failure names the document that it was about, and no other input', () => {
  const error = { status: 409, message: 'm'.repeat(KEPT_MESSAGE + 1) }
  const kept = { position: 7, status: 409, message: 'm'.repeat(KEPT_MESSAGE) }
  expect(failureOf(error, itemAt(7, { type: 'document', id: 'one' }))).toEqual({ ...kept, id: 'one' })
  expect(failureOf(error, itemAt(7, { type: 'string', value: 'x' }))).toEqual(kept)
})

test('an item that another attempt has skipped is not skipped again', async () => {
  const { units } = createMemoryUnits()
  const iteration = { key: ORIGIN, retries: undefined } as unknown as Iteration
  const skip = () =>
    units.transaction(ANN, (unit) =>
      skipItem(unit, iteration, { item: itemAt(0), failure: failureAt(0, 'No') }),
    )
  await units.transaction(ANN, ({ iterations }) => iterations.begin(ORIGIN, { total: 2, entered: STATE }))
  expect([await skip(), await skip()]).toEqual([true, false])
  const { iterations } = units.reading(ANN)
  expect(await iterations.failures(ORIGIN, { limit: 9 })).toEqual([failureAt(0, 'No')])
  expect(await iterations.cursor(ORIGIN)).toMatchObject({ position: 1, failed: 1 })
})

test('an item that fails in a retry has its latest failure, in the iteration whose item it is', async () => {
  const { units } = createMemoryUnits()
  await units.transaction(ANN, async ({ iterations }) => {
    await iterations.begin(ORIGIN, { total: 9, entered: STATE })
    for (const position of [3, 5]) await iterations.addFailure(ORIGIN, failureAt(position, 'before'))
    await iterations.begin(RETRY, { total: 2, entered: null })
  })
  const iteration = { key: RETRY, retries: { key: ORIGIN } } as unknown as Iteration
  const isSkipped = await units.transaction(ANN, (unit) =>
    skipItem(unit, iteration, { item: itemAt(3), failure: failureAt(3, 'after') }),
  )
  expect(isSkipped).toBe(true)
  const { iterations } = units.reading(ANN)
  expect(await iterations.failures(ORIGIN, { limit: 9 })).toEqual([
    failureAt(3, 'after'),
    failureAt(5, 'before'),
  ])
  expect(await iterations.failures(RETRY, { limit: 9 })).toEqual([])
  expect(await iterations.cursor(RETRY)).toMatchObject({ position: 1, failed: 1 })
})
