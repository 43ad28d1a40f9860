import { expect, test } from 'vitest'
import { judge, renderTable } from './report.js'

test.each([
  [{ ours: 13, floor: 10, goal: { most: 1.3 } }, 'met'],
  [{ ours: 14, floor: 10, goal: { most: 1.3 } }, 'missed'],
  [{ ours: 7, floor: 10, goal: { least: 0.7 } }, 'met'],
  [{ ours: 6, floor: 10, goal: { least: 0.7 } }, 'missed'],
  [{ ours: 7, goal: { most: 8 } }, 'met'],
  [{ ours: 7, floor: 10 }, 'no goal'],
])('%j is %s', (figure, verdict) => {
  expect(judge({ name: 'x', unit: 'ms', ...figure }).verdict).toBe(verdict)
})

test('the table shows every figure beside its floor', () => {
  const rows = [
    judge({ name: 'chain', unit: 'ms', ours: 25.04, floor: 20, goal: { most: 1.3 } }),
    judge({ name: 'start', unit: 's', ours: 6.5, goal: { most: 8 } }),
  ]
  expect(renderTable(rows)).toBe(
    [
      'figure  unit  ours  floor  ratio  goal',
      'chain   ms    25.0   20.0   1.25  <= 1.3  met',
      'start   s     6.50                <= 8    met',
    ].join('\n'),
  )
})
