import { expect, test } from 'vitest'
import { formatByPattern, parseByPattern } from './date-pattern.js'

test.each([
  ['yyyy-MM-dd', '2015-03-02T00:00:00.000Z', '2015-03-02'],
  ['dd/MM/yy', '2015-03-02T00:00:00.000Z', '02/03/15'],
  ["yyyy-MM-dd'T'HH:mm:ss.SSS", '2015-03-02T04:05:06.007Z', '2015-03-02T04:05:06.007'],
  ["yyyy.M 'o''clock'", '2015-03-01T00:00:00.000Z', "2015.3 o'clock"],
])('%s', (pattern, date, text) => {
  expect(formatByPattern(new Date(date), pattern)).toBe(text)
  expect(parseByPattern(text, pattern)?.toISOString()).toBe(date)
})

test('another text is no date of the pattern', () => {
  expect(parseByPattern('2015', 'yyyy-MM-dd')).toBeUndefined()
  expect(parseByPattern('2015-03-02x', 'yyyy-MM-dd')).toBeUndefined()
})
