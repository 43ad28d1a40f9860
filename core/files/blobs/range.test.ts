import { expect, test } from 'vitest'
import { parseRange } from './range.js'

test.each([
  [undefined, 10, null],
  ['bytes=0-3', 10, { start: 0, end: 3 }],
  ['bytes=4-', 10, { start: 4, end: 9 }],
  ['bytes=-3', 10, { start: 7, end: 9 }],
  ['Bytes=0-0', 10, { start: 0, end: 0 }],
  ['bytes=5-99', 10, { start: 5, end: 9 }],
  ['bytes=-99', 10, { start: 0, end: 9 }],
  ['bytes=10-', 10, 'unsatisfiable'],
  ['bytes=20-30', 10, 'unsatisfiable'],
  ['bytes=5-2', 10, null],
  ['bytes=-0', 10, 'unsatisfiable'],
  ['bytes=-', 10, null],
  ['bytes=0-1,3-4', 10, null],
  ['bytes=a-b', 10, null],
  ['bytes 0-1', 10, null],
  ['items=0-1', 10, null],
  ['bytes=0-', 0, 'unsatisfiable'],
  ['bytes=-5', 0, null],
  ['bytes=99999999999999999999-', 10, 'unsatisfiable'],
])('range %s of %i bytes', (header, length, expected) => {
  expect(parseRange(header, length)).toEqual(expected)
})
