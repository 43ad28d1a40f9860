import { expect, test } from 'vitest'
import { alternate, median, quantile } from './rounds.js'

test.each([
  [[3, 1, 2], 2],
  [[4, 1, 3, 2], 2.5],
  [[7], 7],
])('the median of %j is %d', (values, expected) => {
  expect(median(values)).toBe(expected)
})

test.each([
  [0.95, 95],
  [0.5, 50],
  [1, 100],
])('the quantile %d of 1 to 100 is %d', (part, expected) => {
  const values = Array.from({ length: 100 }, (_, index) => 100 - index)
  expect(quantile(values, part)).toBe(expected)
})

test('measures in turns, each first as often as the other, and leaves out the warm-up', async () => {
  const order: string[] = []
  const measuring = (name: string, values: number[]) => async () => {
    order.push(name)
    return values.shift() ?? Number.NaN
  }
  const found = await alternate(2, {
    ours: measuring('ours', [9, 1, 3]),
    floor: measuring('floor', [9, 4, 6]),
  })
  expect(found).toEqual({ ours: 2, floor: 5 })
  expect(order).toEqual(['floor', 'ours', 'floor', 'ours', 'ours', 'floor'])
})
