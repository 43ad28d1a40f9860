import { describe, expect, test } from 'vitest'
import { createConcurrencyLimits } from './concurrency-limits.js'
import { createFairSemaphore } from './fair-semaphore.js'
import { requireModestJson } from './json.js'
import { createOwnerQuota } from './owner-quota.js'

const takeAll = (limits: ReturnType<typeof createConcurrencyLimits>, owner: string): (() => void)[] => {
  const taken: (() => void)[] = []
  for (let release = limits.take(owner); release; release = limits.take(owner)) taken.push(release)
  return taken
}

describe('limits', () => {
  test('each owner takes three quarters of what the others leave, and one at least', () => {
    const limits = createConcurrencyLimits(20)
    expect(['a', 'b', 'c', 'd'].map((owner) => takeAll(limits, owner).length)).toEqual([15, 3, 1, 1])
  })

  test('what is given back may be taken again', () => {
    const limits = createConcurrencyLimits(4)
    const [first] = takeAll(limits, 'a')
    expect(limits.take('a')).toBeUndefined()
    first?.()
    expect(takeAll(limits, 'a')).toHaveLength(1)
  })
})

test('what has more texts than JSON of its commas is refused', () => {
  expect(() => requireModestJson('body:', `[${'"" '.repeat(1_200_001)}]`)).toThrow(
    'body: has more than 1200000 texts',
  )
})

test('a quota has places for each owner and for all, and takes each back once', () => {
  const quota = createOwnerQuota({ each: 2, all: 3 })
  const [first] = [quota.take('a'), quota.take('a')]
  expect(quota.take('a')).toBeUndefined()
  expect(quota.take('b')).toBeDefined()
  expect(quota.take('b')).toBeUndefined()
  first?.()
  first?.()
  expect(['a', 'b'].map((owner) => quota.take(owner) !== undefined)).toEqual([true, false])
})

describe('fair semaphore', () => {
  const refusal = (owner: string) => new Error(`${owner} waits in vain`)
  const held = () => {
    let end = (): void => {}
    const over = new Promise<void>((resolve) => {
      end = resolve
    })
    return { end, work: () => over }
  }

  test('whoever has as many as it may waits, and others pass it', async () => {
    const semaphore = createFairSemaphore({ places: 2, waitTimeoutMs: 60_000 })
    const first = held()
    const running = semaphore.within('a', first.work, refusal)
    const order: string[] = []
    const second = semaphore.within('a', async () => order.push('a'), refusal)
    await semaphore.within('b', async () => order.push('b'), refusal)
    expect(order).toEqual(['b'])
    first.end()
    await Promise.all([running, second])
    expect(order).toEqual(['b', 'a'])
  })

  test('whoever waits in vain has begun nothing', async () => {
    const semaphore = createFairSemaphore({ places: 1, waitTimeoutMs: 10 })
    const first = held()
    const running = semaphore.within('a', first.work, refusal)
    let isBegun = false
    const second = semaphore.within(
      'a',
      async () => {
        isBegun = true
      },
      refusal,
    )
    await expect(second).rejects.toThrow('a waits in vain')
    first.end()
    await running
    expect(isBegun).toBe(false)
    await semaphore.within('a', async () => undefined, refusal)
  })

  test('work that fails gives its place back', async () => {
    const semaphore = createFairSemaphore({ places: 1, waitTimeoutMs: 10 })
    await expect(semaphore.within('a', () => Promise.reject(new Error('no')), refusal)).rejects.toThrow('no')
    await semaphore.within('a', async () => undefined, refusal)
  })
})

test('an owner quota counts places of different size', () => {
  const quota = createOwnerQuota({ each: 10, all: 15 })
  const first = quota.take('a', 12)
  expect(first).toBeDefined()
  expect(quota.take('a', 1)).toBeUndefined()
  expect(quota.take('b', 4)).toBeUndefined()
  const second = quota.take('b', 3)
  first?.()
  first?.()
  expect(quota.take('b', 8)).toBeUndefined()
  expect(quota.take('b', 7)).toBeDefined()
  second?.()
  expect(quota.take('a', 8)).toBeDefined()
})
