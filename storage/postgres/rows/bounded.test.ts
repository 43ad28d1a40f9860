import type postgres from 'postgres'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import { readPage, readRows } from './bounded.js'
import { RECORD_COLUMNS, SMALL_COLUMNS } from './record-columns.js'

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

/** Reads a page of documents, of which one may be large; and which columns were asked for, and how. */
const readPageOf = async (atMost: number, { hasLarge = false } = {}) => {
  const asked: string[] = []
  const statement = (columns: string) => {
    const of = columns === SMALL_COLUMNS ? 'small' : columns === RECORD_COLUMNS ? 'all' : columns
    const rows = [{ properties: of === 'small' && hasLarge ? null : {} }, { properties: {} }]
    const at = (how: string) => asked.push(`${of} ${how}`)
    return {
      // biome-ignore lint/suspicious/noThenProperty: a statement of the driver is awaited.
      then: (resolve: (found: object[]) => void) => {
        at('at once')
        resolve(rows)
      },
      async *cursor() {
        at('by cursor')
        yield rows
      },
    } as unknown as postgres.PendingQuery<DocumentRecord[]>
  }
  const found = await readPage(statement, { atMost, owner: ann })
  return { asked, found }
}

test('a page of small documents is read at once, one with a large document again in parts', async () => {
  const whole = [{ properties: {} }, { properties: {} }]
  expect(await readPageOf(50)).toEqual({ asked: ['small at once'], found: whole })
  expect(await readPageOf(50, { hasLarge: true })).toEqual({
    asked: ['small at once', 'all by cursor'],
    found: whole,
  })
  expect(await readPageOf(4, { hasLarge: true })).toEqual({ asked: ['all at once'], found: whole })
  expect(await readPageOf(101)).toEqual({ asked: ['all by cursor'], found: whole })
})
