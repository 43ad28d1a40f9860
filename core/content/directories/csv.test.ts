import { expect, test } from 'vitest'
import { parseCsv } from './csv.js'

test.each([
  ['', []],
  [
    'id,label\na,A\n',
    [
      ['id', 'label'],
      ['a', 'A'],
    ],
  ],
  [
    'id,label\r\na,A',
    [
      ['id', 'label'],
      ['a', 'A'],
    ],
  ],
  ['\uFEFFid\n\na\n', [['id'], ['a']]],
  ['a,"b,c"', [['a', 'b,c']]],
  ['a,"b ""c"""\n', [['a', 'b "c"']]],
  ['a,"line 1\nline 2",\n', [['a', 'line 1\nline 2', '']]],
  ['a,', [['a', '']]],
  ['""', []],
  [',', [['', '']]],
  ['a"b,c', [['a"b', 'c']]],
])('%j', (text, rows) => {
  expect(parseCsv(text)).toEqual(rows)
})

test('another separator', () => {
  expect(parseCsv('a;b,c', ';')).toEqual([['a', 'b,c']])
})

test('a quote that is not closed is told with its line', () => {
  expect(() => parseCsv('a\n"b\nc')).toThrow('line 2: a quote is not closed')
})
