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

test('mixed line ends, and a quote inside of a field', () => {
  expect(parseCsv('a,b\r\nc,d\ne"f,g')).toEqual([
    ['a', 'b'],
    ['c', 'd'],
    ['e"f', 'g'],
  ])
})

test.each([
  ['a\n"b\nc', 2],
  ['"b\nc', 1],
  ['a\n\n\n"b\nx\n', 4],
  ['a,"x\ny","b\n', 2],
  ['a\r\nb,"c\r\nd","\r\ne', 3],
  ['\uFEFF"ä\nb",\n"c\n', 3],
])('a quote that is not closed is reported with its line: %j', (text, line) => {
  expect(() => parseCsv(text)).toThrow(`line ${line}: a quote is not closed`)
})
