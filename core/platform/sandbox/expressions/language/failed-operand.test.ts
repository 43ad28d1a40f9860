import { expect, test } from 'vitest'
import { failedOperand } from './failed-operand.js'

test.each<[string, string, string | undefined]>([
  ['map.q.z', '.z', 'map.q'],
  ['1 + map.q.z + 2', '.z', 'map.q'],
  ['map["q"]["z"]', '["z"]', 'map["q"]'],
  ['f(1, [2]).a', '.a', 'f(1, [2])'],
  ['(a + b).c', '.c', '(a + b)'],
  ['n.size()', 'size', 'n'],
  ['s.nope(1)', ')', 's.nope'],
  ['new s()', '()', 's'],
  ['text @{a.b.c} and @{x.y.z}', '.z', 'x.y'],
  ['nothing + 1', 'nothing', undefined],
  ['))', '))', undefined],
])('%s fails at %s because of %s', (source, at, operand) => {
  expect(failedOperand(source, source.indexOf(at))).toBe(operand)
})
