import { expect, test } from 'vitest'
import { bucketStart, nextBucket, parseInterval } from './interval.js'

test.each([
  ['month', '2015-01-01T00:00:00.000Z', '2015-02-01T00:00:00.000Z'],
  ['1M', '2015-12-01T00:00:00.000Z', '2016-01-01T00:00:00.000Z'],
  ['year', '2016-01-01T00:00:00.000Z', '2017-01-01T00:00:00.000Z'],
  ['quarter', '2015-10-01T00:00:00.000Z', '2016-01-01T00:00:00.000Z'],
  ['week', '2015-03-30T00:00:00.000Z', '2015-04-06T00:00:00.000Z'],
  ['1d', '2015-02-28T00:00:00.000Z', '2015-03-01T00:00:00.000Z'],
  ['hour', '2015-02-28T23:00:00.000Z', '2015-03-01T00:00:00.000Z'],
  ['90m', '2015-02-28T23:00:00.000Z', '2015-03-01T00:30:00.000Z'],
  ['500ms', '2015-02-28T23:00:00.000Z', '2015-02-28T23:00:00.500Z'],
])('%s after %s comes %s', (text, start, expected) => {
  const interval = parseInterval(text)
  if (!interval) throw new Error('no interval')
  expect(nextBucket(new Date(start), interval).toISOString()).toBe(expected)
})

test.each([
  ['year', 'UTC', '2015-01-01T00:00:00.000Z'],
  ['quarter', 'UTC', '2015-04-01T00:00:00.000Z'],
  ['month', '-08:00', '2015-05-01T08:00:00.000Z'],
  ['week', 'UTC', '2015-04-27T00:00:00.000Z'],
  ['day', 'Europe/Paris', '2015-05-01T22:00:00.000Z'],
  ['hour', 'UTC', '2015-05-02T01:00:00.000Z'],
  ['90m', 'UTC', '2015-05-02T00:00:00.000Z'],
])('the bucket of %s in %s starts at %s', (text, zone, expected) => {
  const interval = parseInterval(text)
  if (!interval) throw new Error('no interval')
  expect(bucketStart(new Date('2015-05-02T01:02:03.000Z'), interval, zone).toISOString()).toBe(expected)
})

test.each(['', 'fortnight', '0d', '-1d', '1', 'd'])('%j is no interval', (text) => {
  expect(parseInterval(text)).toBeUndefined()
})
