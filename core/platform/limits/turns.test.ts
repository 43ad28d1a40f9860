import { expect, test } from 'vitest'
import { createTurns } from './turns.js'

test('no more run at once than there are places, in order, and a failure leaves its place', async () => {
  const inTurn = createTurns(2)
  const [begun, running] = [[] as number[], { now: 0, most: 0 }]
  const work = (index: number) => async () => {
    begun.push(index)
    running.most = Math.max(running.most, ++running.now)
    await new Promise((resolve) => setImmediate(resolve))
    running.now--
    if (index % 2 === 1) throw new Error('broken')
  }
  const ends = await Promise.allSettled([0, 1, 2, 3, 4].map((index) => inTurn(work(index))))
  expect(begun).toEqual([0, 1, 2, 3, 4])
  expect(running.most).toBe(2)
  expect(ends.map(({ status }) => status[0]).join('')).toBe('frfrf')
})
