import { expect, test } from 'vitest'
import { parseNameValues } from './name-values.js'

test.each<[string[], { [name: string]: unknown }]>([
  [[], {}],
  [['a=1', 'b=x=y'], { a: '1', b: 'x=y' }],
  [['a='], { a: '' }],
  [['a:=[1,{"b":null}]'], { a: [1, { b: null }] }],
  [['dc:title=x'], { 'dc:title': 'x' }],
  [['dc:title:="x"'], { 'dc:title': 'x' }],
  [['a=b:=c'], { a: 'b:=c' }],
])('reads %j', (texts, expected) => {
  expect(parseNameValues('--param', texts)).toEqual(expected)
})

test('a name is never a prototype', () => {
  const values = parseNameValues('--param', ['__proto__:={"a":1}'])
  expect(Object.keys(values)).toEqual(['__proto__'])
})

test.each([
  [['novalue'], '--param novalue: expected name=text or name:=JSON'],
  [['=x'], '--param =x: expected'],
  [[':=1'], '--param :=1: expected'],
  [['a:={'], '--param a:={: the value after := is not JSON'],
  [['a=1', 'a=2'], '--param a occurs twice'],
])('refuses %j', (texts, message) => {
  expect(() => parseNameValues('--param', texts)).toThrow(message)
})
