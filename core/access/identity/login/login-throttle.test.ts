import { expect, test } from 'vitest'
import { createLoginThrottle } from './login-throttle.js'
import { memoryTries } from './memory-tries.fixture.js'

const ANN = { address: 'a', name: 'ann' }

/** Time passes by sleeping alone, and is recorded. */
const bench = () => {
  let time = 0
  const slept: number[] = []
  const throttle = createLoginThrottle({
    store: memoryTries(),
    now: () => time,
    sleep: async (milliseconds) => {
      slept.push(milliseconds)
      time += milliseconds
    },
  })
  const wrong = (client = ANN) => throttle.attempt(client, async () => false)
  return { throttle, slept, wrong, pass: (milliseconds: number) => (time += milliseconds) }
}

test('a few wrong passwords cost nothing, more of them ever more time', async () => {
  const { slept, wrong } = bench()
  for (let count = 0; count < 5; count++) await wrong()
  expect(slept).toEqual([])
  for (let count = 0; count < 8; count++) await wrong()
  expect(slept).toEqual([100, 200, 400, 800, 1600, 2000, 2000])
})

test('they cost nobody else anything, neither elsewhere nor of another name', async () => {
  const { slept, wrong, throttle } = bench()
  for (let count = 0; count < 9; count++) await wrong()
  const before = slept.length
  for (const client of [
    { address: 'b', name: 'ann' },
    { address: 'a', name: 'bob' },
  ])
    expect(await throttle.attempt(client, async ({ isThrottled }) => !isThrottled)).toBe(true)
  expect(slept).toHaveLength(before)
})

test('a right one ends it, and time does', async () => {
  for (const end of ['right', 'time'] as const) {
    const { throttle, slept, wrong, pass } = bench()
    for (let count = 0; count < 8; count++) await wrong()
    if (end === 'right') await throttle.attempt(ANN, async () => true)
    else pass(600_001)
    const before = slept.length
    for (let count = 0; count < 5; count++) await wrong()
    expect(slept).toHaveLength(before)
  }
})

test('those that are sent at once are spread too, and refused beyond ten seconds', async () => {
  let time = 0
  const slept: number[] = []
  const throttle = createLoginThrottle({
    store: memoryTries(),
    now: () => time,
    sleep: async (milliseconds) => {
      slept.push(milliseconds)
    },
  })
  let checked = 0
  const outcomes = await Promise.allSettled(
    Array.from({ length: 60 }, () =>
      throttle.attempt(ANN, async () => {
        checked++
        return false
      }),
    ),
  )
  const refused = outcomes.filter(({ status }) => status === 'rejected')
  expect(checked).toBe(60 - refused.length)
  expect(checked).toBeLessThan(20)
  expect(Math.max(...slept)).toBeLessThanOrEqual(10_000)
  expect(refused[0]).toMatchObject({ reason: { code: 'tooManyRequests', retryAfter: expect.any(Number) } })
  time += 20_000
  expect(await throttle.attempt(ANN, async () => true)).toBe(true)
})

test('what could not be checked was not wrong', async () => {
  const { throttle, slept, wrong } = bench()
  for (let count = 0; count < 20; count++)
    await expect(throttle.attempt(ANN, () => Promise.reject(new Error('queue full')))).rejects.toThrow(
      'queue full',
    )
  for (let count = 0; count < 5; count++) await wrong()
  expect(slept).toEqual([])
})

test('marks a client who has failed before as throttled', async () => {
  const { throttle, wrong } = bench()
  const asked = () => throttle.attempt(ANN, async ({ isThrottled }) => isThrottled)
  expect(await asked()).toBe(false)
  for (let count = 0; count < 4; count++) await wrong()
  expect(await asked()).toBe(true)
})
