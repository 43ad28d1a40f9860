import { expect, test } from 'vitest'
import type { Problem } from '../failures/index.js'
import { problemLines } from './problem-lines.js'

const file = (text: string) => ({ path: 'dir/demo.yaml', id: 'demo', text, format: 'yaml' as const })

test.each<[string, string, Problem, string[]]>([
  [
    'the place and the line',
    '- a\r\n- Document.Creat\r\n',
    { line: 2, column: 3, message: 'unknown operation' },
    ['dir/demo.yaml:2:3: unknown operation', '    - Document.Creat', '      ^'],
  ],
  [
    'a caret below the same column after tabs',
    '\t<a\tb="x"/>',
    { line: 1, column: 5, message: 'm' },
    ['dir/demo.yaml:1:5: m', '    \t<a\tb="x"/>', '    \t  \t^'],
  ],
  ['a field where there is no line', 'x', { field: 'id', message: 'm' }, ['dir/demo.yaml: id: m']],
  [
    'the contribution too, where there are several',
    'x',
    { field: 'id', message: 'm', contribution: 'types/A' },
    ['dir/demo.yaml: types/A: id: m'],
  ],
  ['a line beyond the end', 'x', { line: 9, column: 1, message: 'm' }, ['dir/demo.yaml:9:1: m']],
  ['an end of file', 'x', { line: 1, column: 9, message: 'm' }, ['dir/demo.yaml:1:9: m', '    x', '     ^']],
  [
    'no control characters',
    'a\x1b[2Jb',
    { line: 1, message: 'm\x1b' },
    ['dir/demo.yaml:1:1: m\uFFFD', '    a\uFFFD[2Jb', '    ^'],
  ],
])('shows %s', (_, text, problem, lines) => {
  expect(problemLines(file(text), problem)).toEqual(lines)
})

test('cuts a long line around the column', () => {
  const text = `${'a'.repeat(500)}X${'b'.repeat(500)}`
  const [, line = '', caret = ''] = problemLines(file(text), { line: 1, column: 501, message: 'm' })
  expect(line.length).toBeLessThan(120)
  expect(line[caret.length - 1]).toBe('X')
})
