import { expect, test } from 'vitest'
import { type ClientKey, createFairQueue } from './fair-queue.js'

const gate = () => {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

const KEY = { address: 'a', name: 'n' }

test('so many run at once, the others in their order', async () => {
  const queue = createFairQueue({ atOnce: 2, maxWaiting: 3 })
  const gates = Array.from({ length: 5 }, gate)
  const begun: number[] = []
  const all = gates.map(({ opened }, index) =>
    queue(KEY, async () => {
      begun.push(index)
      await opened
      return index
    }),
  )
  await Promise.resolve()
  expect(begun).toEqual([0, 1])
  gates[1]?.open()
  await all[1]
  await expect.poll(() => begun).toEqual([0, 1, 2])
  for (const { open } of gates) open()
  expect(await Promise.all(all)).toEqual([0, 1, 2, 3, 4])
})

test('failed work lets the next one start', async () => {
  const queue = createFairQueue({ atOnce: 1, maxWaiting: 1 })
  const failing = queue(KEY, () => Promise.reject(new Error('no')))
  const next = queue(KEY, async () => 'next')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('next')
  expect(await queue(KEY, async () => 'last')).toBe('last')
})

/** Queues work while the first one runs. @returns the names in the order in which they started. */
const orderOf = async (keys: readonly ClientKey[], maxWaiting = 1_000) => {
  const queue = createFairQueue({ atOnce: 1, maxWaiting })
  const { opened, open } = gate()
  const first = queue(KEY, () => opened)
  const order: string[] = []
  const refused: string[] = []
  const all = keys.map((key) =>
    queue(key, async () => {
      order.push(`${key.address}:${key.name}`)
    }).catch((error: { code: string }) => {
      expect(error.code).toBe('unavailable')
      refused.push(`${key.address}:${key.name}`)
    }),
  )
  open()
  await Promise.all([first, ...all])
  return { order, refused }
}

const times = (count: number, key: ClientKey): ClientKey[] => Array.from({ length: count }, () => key)

test('addresses take turns, and the names of an address among themselves', async () => {
  const { order } = await orderOf([
    ...times(3, { address: 'a', name: 'ann' }),
    { address: 'a', name: 'bob' },
    { address: 'b', name: 'ann' },
    { address: 'b', name: 'ann' },
  ])
  expect(order).toEqual(['a:ann', 'b:ann', 'a:bob', 'b:ann', 'a:ann', 'a:ann'])
})

test('whoever comes from elsewhere waits for one turn of those who are many', async () => {
  const { order } = await orderOf([
    ...Array.from({ length: 300 }, (_, index) => ({ address: 'a', name: `guess-${index}` })),
    { address: 'b', name: 'bob' },
  ])
  expect(order.indexOf('b:bob')).toBe(1)
})

test('an address from which somebody has logged in waits for few of those that are new, and new ones not for ever', async () => {
  const { order } = await orderOf([
    ...Array.from({ length: 200 }, (_, index) => ({ address: `n${index}`, name: 'guess' })),
    ...times(8, { address: 'k', name: 'ann', isKnown: true }),
  ])
  expect(order.slice(0, 8).map((name) => name[0])).toEqual(['k', 'n', 'k', 'k', 'k', 'n', 'k', 'k'])
})

test('throttled clients of many addresses have every fourth turn while others wait', async () => {
  const { order } = await orderOf([
    ...Array.from({ length: 50 }, (_, index) => ({ address: `s${index}`, name: 'ann', isThrottled: true })),
    ...times(6, { address: 'b', name: 'bob' }),
  ])
  expect(order.slice(0, 8).map((name) => name[0])).toEqual(['b', 'b', 'b', 's', 'b', 'b', 'b', 's'])
  expect(order).toHaveLength(56)
})

test('when as many wait as may, those of which most wait are refused', async () => {
  const guesses = [
    ...times(4, { address: 'a', name: 'ann' }),
    ...times(2, { address: 'a', name: 'bob' }),
    { address: 'b', name: 'bob' },
  ]
  const { order, refused } = await orderOf(guesses, 4)
  expect(refused).toEqual(['a:ann', 'a:ann', 'a:ann'])
  expect([...order].sort()).toEqual(['a:ann', 'a:bob', 'a:bob', 'b:bob'])
  const throttled = await orderOf(
    [
      ...times(2, { address: 'b', name: 'bob' }),
      { address: 'a', name: 'ann', isThrottled: true },
      ...times(2, { address: 'b', name: 'bob' }),
    ],
    4,
  )
  expect(throttled.refused).toEqual(['a:ann'])
})
