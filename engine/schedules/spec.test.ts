import { expect, test } from 'vitest'
import { rangesOf } from './spec.js'

const valuesOf = (ranges: ReturnType<typeof rangesOf>): number[] =>
  ranges.flatMap(({ start, end, step }) => {
    const count = Math.floor((end - start) / step) + 1
    return Array.from({ length: count }, (_, index) => start + index * step)
  })

test.each<[number[], number]>([
  [[], 0],
  [[5], 1],
  [[5, 6], 1],
  [[5, 9], 2],
  [[0, 5, 10, 15], 1],
  [[1, 2, 3, 10, 20, 30], 4],
  [[1, 3, 4], 2],
  [[0, 10, 11, 12, 40], 3],
  [[2000, 2004, 2008], 1],
  [[2001, 2002, 2003, 2005, 2006], 2],
])('%j is %i ranges', (values, count) => {
  const ranges = rangesOf(values)
  expect(valuesOf(ranges)).toEqual(values)
  expect(ranges).toHaveLength(count)
})
