import { expect, test } from 'vitest'
import { isQuick } from './quick.js'
import { tokenize } from './tokens.js'

test.each<[string, boolean]>([
  ['Document["dc:title"]', true],
  ['x == empty and not (list.size() > 3)', true],
  ['CurrentDate.days(-7).format("yyyy")', true],
  ['s.contains("needle")', true],
  ['Fn.nxqlEscape(s) ?? "none"', true],
  ['s.contains(needle)', false],
  ['"a".repeat(1e6)', false],
  ['list.map(f)', false],
  ['[s.repeat][0](9)', false],
  ['(s.repeat)(9)', false],
  ['s?.(1)', false],
  ['() => 1', false],
  ['x = s + s', false],
  ['/a+/', false],
  ['x / 2', false],
  ['new Array(9)', false],
  ['1 // \r + (function () {})()', false],
  ['1 <!-- x', false],
  [Array.from({ length: 300 }, () => 's').join('+'), false],
])('%s may go without the watchdog: %s', (source, quick) => {
  expect(isQuick(tokenize(source).tokens)).toBe(quick)
})
