import type postgres from 'postgres'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readRows } from './bounded.js'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

type Row = { text: string }

/** A statement whose rows come in two parts, as the driver's cursor hands them over; the second when it is let. */
const statementOf = (rows: readonly Row[], second: Promise<void> = Promise.resolve()) =>
  ({
    async *cursor() {
      yield rows
      await second
      yield rows
    },
  }) as unknown as postgres.PendingQuery<Row[]>

const large = [{ text: 'x'.repeat(3 * 1024 * 1024) }]
const ann = { name: 'ann', isAdministrator: false }
const bob = { name: 'bob', isAdministrator: false }
const read = (owner: typeof ann, second?: Promise<void>, rows: readonly Row[] = large) =>
  readRows(statementOf(rows, second), { atMost: 100, owner })

test('a large list waits for another of its user, and is refused when that takes too long', async () => {
  let end = () => {}
  const first = read(ann, new Promise((resolve) => (end = resolve)))
  await vi.advanceTimersByTimeAsync(0)
  const refused = expect(read(ann)).rejects.toMatchObject({
    code: 'tooManyRequests',
    retryable: true,
    retryAfter: 1,
    message: expect.stringContaining('ann has reached the limit of concurrent large lists'),
  })
  const small = [{ text: 'x' }]
  expect(await read(ann, undefined, small), 'a small one does not wait').toEqual([...small, ...small])
  expect(await read(bob), 'nor does that of another').toHaveLength(2)
  expect(await read({ ...ann, isAdministrator: true }), 'nor that of an administrator').toHaveLength(2)
  await vi.advanceTimersByTimeAsync(10_000)
  await refused

  const next = read(ann)
  end()
  expect(await first).toHaveLength(2)
  expect(await next, 'it begins when the one before has ended').toHaveLength(2)
})
