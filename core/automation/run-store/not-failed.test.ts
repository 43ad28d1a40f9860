import { expect, test } from 'vitest'
import { whyNotFailed } from './not-failed.js'

const one = [{ position: 3, total: 5 }]

test.each([
  [one, [2], 'item 2 is done'],
  [one, [3], 'item 3 has not begun'],
  [one, [5], 'there is no item 5'],
  [one, [0, 4, 9], 'item 0 is done, item 4 has not begun, there is no item 9'],
  [[...one, { position: 0, total: 8 }], [5], 'item 5 has not begun'],
  [[...one, { position: 7, total: 8 }], [4], 'item 4 is done'],
  [
    one,
    [0, 1, 2, 3, 4],
    'item 0 is done, item 1 is done, item 2 is done, item 3 has not begun, item 4 has not begun',
  ],
  [
    one,
    [0, 0, 0, 0, 0, 0],
    'item 0 is done, item 0 is done, item 0 is done, item 0 is done, item 0 is done, …',
  ],
])('%j: %j', (lists, positions, why) => {
  expect(whyNotFailed(lists, positions)).toBe(why)
})
