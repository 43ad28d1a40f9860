import { expect, test } from 'vitest'
import { exactLong, longOf, withLongsAsTexts } from './long.js'

test.each([
  ['9007199254740991', 9007199254740991],
  ['9007199254740993', '9007199254740993'],
  ['+009223372036854775807', '9223372036854775807'],
  ['-9223372036854775808', '-9223372036854775808'],
  ['-0', 0],
  ['9223372036854775808', undefined],
  ['1.5', undefined],
  ['9'.repeat(1_000_000), undefined],
])('%.30s is read as a 64-bit integer', (text, expected) => {
  expect(longOf(text)).toBe(expected)
})

test.each([
  ['{"a":9007199254740993}', '{"a":"9007199254740993"}'],
  ['[ -9223372036854775808 ,1]', '[ "-9223372036854775808" ,1]'],
  [
    '{"a":"b 9007199254740993,\\"","c":9007199254740993}',
    '{"a":"b 9007199254740993,\\"","c":"9007199254740993"}',
  ],
  ['{"a":9007199254740991,"b":1e300}', '{"a":9007199254740991,"b":1e300}'],
  ['{"a":[9007199254740993.5,9223372036854775808]}', '{"a":[9007199254740993.5,9223372036854775808]}'],
  ['[12345678901234567e1,9007199254740993]', '[12345678901234567e1,"9007199254740993"]'],
  ['{"a": 01234567890123456789}', '{"a": 01234567890123456789}'],
])('numbers of %s that would lose digits', (json, expected) => {
  expect(withLongsAsTexts(json)).toBe(expected)
})

test('a long text with many escapes costs little', () => {
  const text = JSON.stringify({ a: '\\"'.repeat(500_000), b: 1 }).replace('1}', '9007199254740993}')
  expect(JSON.parse(withLongsAsTexts(text)).b).toBe('9007199254740993')
})

test('a text without an end costs little, and is left for whoever reads the JSON', () => {
  const json = `[1234567890123456789, "${'a'.repeat(100_000)}`
  expect(withLongsAsTexts(json)).toBe(json.replace('1234567890123456789', '"1234567890123456789"'))
})

test('JSON shows all digits, as a number where Node can write one', () => {
  const written = JSON.stringify([exactLong('9007199254740993'), exactLong(5), exactLong(null)])
  expect(['[9007199254740993,5,null]', '["9007199254740993",5,null]']).toContain(written)
  expect(written.startsWith('["')).toBe(!('rawJSON' in JSON))
})
