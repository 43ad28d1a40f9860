import { describe, expect, test } from 'vitest'
import { createShares } from './shares.js'
import { createSharedPlaces } from './waiting.js'

const takeAll = (shares: ReturnType<typeof createShares>, owner: string): (() => void)[] => {
  const taken: (() => void)[] = []
  for (let release = shares.take(owner); release; release = shares.take(owner)) taken.push(release)
  return taken
}

describe('shares', () => {
  test('each owner takes three quarters of what the others leave, and one at least', () => {
    const shares = createShares(20)
    expect(['a', 'b', 'c', 'd'].map((owner) => takeAll(shares, owner).length)).toEqual([15, 3, 1, 1])
  })

  test('what is given back may be taken again', () => {
    const shares = createShares(4)
    const [first] = takeAll(shares, 'a')
    expect(shares.take('a')).toBeUndefined()
    first?.()
    expect(takeAll(shares, 'a')).toHaveLength(1)
  })
})

describe('shared places', () => {
  const held = () => {
    let end = (): void => {}
    const over = new Promise<void>((resolve) => {
      end = resolve
    })
    return { end, work: () => over }
  }

  test('whoever has as many as it may waits, and others pass it', async () => {
    const places = createSharedPlaces({ places: 2, patience: 60_000, what: 'transactions' })
    const first = held()
    const running = places.within('a', first.work)
    const order: string[] = []
    const second = places.within('a', async () => order.push('a'))
    await places.within('b', async () => order.push('b'))
    expect(order).toEqual(['b'])
    first.end()
    await Promise.all([running, second])
    expect(order).toEqual(['b', 'a'])
  })

  test('whoever waits in vain has begun nothing', async () => {
    const places = createSharedPlaces({ places: 1, patience: 10, what: 'transactions' })
    const first = held()
    const running = places.within('a', first.work)
    let isBegun = false
    const second = places.within('a', async () => {
      isBegun = true
    })
    await expect(second).rejects.toMatchObject({ code: 'unavailable', retryAfter: 1 })
    first.end()
    await running
    expect(isBegun).toBe(false)
    await places.within('a', async () => undefined)
  })

  test('work that fails gives its place back', async () => {
    const places = createSharedPlaces({ places: 1, patience: 10, what: 'transactions' })
    await expect(places.within('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    await places.within('a', async () => undefined)
  })
})
