import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Sql } from '../connection/index.js'
import { createWatchHolding } from './holding.js'

const [ANN, BOB] = [
  { name: 'ann', isAdministrator: false },
  { name: 'bob', isAdministrator: false },
]

/** A transaction that has written or not when it is looked at, and for which another waits or none does. */
const transaction = (hasWritten: () => boolean, isAwaited = false) =>
  (async () => [{ hasWritten: hasWritten(), isAwaited }]) as never as Sql

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const never = new AbortController().signal

/** Opens one that holds something, and returns after how many seconds it was stopped; undefined: not within a minute. */
const heldFor = async (watch: ReturnType<typeof createWatchHolding>, user = ANN) => {
  const { limited, end } = watch(
    transaction(() => true),
    user,
  )
  const signal = limited(never)
  try {
    for (let second = 1; second <= 60; second++) {
      await vi.advanceTimersByTimeAsync(1_000)
      if (signal.aborted) return second
    }
    return undefined
  } finally {
    end()
  }
}

test('what a user changes is held for thirty seconds, by one transaction or by several one after the other', async () => {
  const watch = createWatchHolding(30)
  const first = await heldFor(watch)
  expect(first).toBeGreaterThanOrEqual(30)
  expect(first).toBeLessThanOrEqual(32)
  for (let again = 0; again < 10; again++) expect(await heldFor(watch)).toBe(1)
  expect(await heldFor(watch, BOB)).toBe(first)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await heldFor(watch)).toBeGreaterThanOrEqual(30)
})

test('many that are over within seconds, and one that only reads, are not stopped', async () => {
  const watch = createWatchHolding(30)
  const signals = Array.from({ length: 50 }, () =>
    watch(
      transaction(() => true),
      ANN,
    ),
  ).map(({ limited, end }) => {
    setTimeout(end, 5_500)
    return limited(never)
  })
  const reading = watch(
    transaction(() => false),
    ANN,
  )
  await vi.advanceTimersByTimeAsync(120_000)
  expect([...signals, reading.limited(never)].filter(({ aborted }) => aborted)).toEqual([])
  reading.end()
})

test('short ones that others wait for, one behind the other, count from their first second on', async () => {
  const watch = createWatchHolding(10)
  let stopped = 0
  for (let call = 0; call < 15; call++) {
    const { limited, end } = watch(
      transaction(() => true, true),
      ANN,
    )
    const signal = limited(never)
    for (let part = 0; part < 23 && !signal.aborted; part++) await vi.advanceTimersByTimeAsync(100)
    if (signal.aborted) stopped++
    end()
  }
  expect(stopped).toBeGreaterThanOrEqual(8)
})

test('those that wait for what another of the user holds end as soon as they have it', async () => {
  const watch = createWatchHolding(10)
  const holder = watch(
    transaction(() => true, true),
    ANN,
  )
  /** Blocked: a look at it is answered behind the statement that waits. */
  let grant = () => {}
  const granted = new Promise<void>((resolve) => {
    grant = resolve
  })
  const blocked = (isAwaited: boolean) =>
    (async () => {
      await granted
      return [{ hasWritten: true, isAwaited }]
    }) as never as Sql
  const waiting = watch(blocked(true), ANN)
  const unwanted = watch(blocked(false), ANN)
  const others = watch(blocked(true), BOB)
  while (!holder.limited(never).aborted) await vi.advanceTimersByTimeAsync(1_000)
  holder.end()
  // Meanwhile all that was held is given back.
  await vi.advanceTimersByTimeAsync(60_000)
  grant()
  await vi.advanceTimersByTimeAsync(0)
  expect([waiting, unwanted, others].map(({ limited }) => limited(never).aborted)).toEqual([
    true,
    false,
    false,
  ])
  for (const { end } of [waiting, unwanted, others]) end()
})

test('the signal of the work stops it as well, and administrators are not watched', async () => {
  const outer = new AbortController()
  const watch = createWatchHolding(30)
  const { limited, end } = watch(
    transaction(() => true),
    ANN,
  )
  const signal = limited(outer.signal)
  expect(limited(outer.signal)).toBe(signal)
  outer.abort()
  expect(signal.aborted).toBe(true)
  end()
  expect(
    watch(
      transaction(() => true),
      { name: 'root', isAdministrator: true },
    ).limited(never),
  ).toBe(never)
})
