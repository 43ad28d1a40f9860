import { expect, test } from 'vitest'
import { dateMath } from './date-math.js'

const NOW = new Date('2015-03-31T13:14:15.678Z')

test.each([
  ['now', '2015-03-31T13:14:15.678Z'],
  ['now-24H', '2015-03-30T13:14:15.678Z'],
  ['now+1h', '2015-03-31T14:14:15.678Z'],
  ['now-7d', '2015-03-24T13:14:15.678Z'],
  ['now-2w', '2015-03-17T13:14:15.678Z'],
  ['now-1y', '2014-03-31T13:14:15.678Z'],
  ['now/d', '2015-03-31T00:00:00.000Z'],
  ['now/M', '2015-03-01T00:00:00.000Z'],
  ['now/y', '2015-01-01T00:00:00.000Z'],
  ['now/w', '2015-03-30T00:00:00.000Z'],
  ['now-1d/d', '2015-03-30T00:00:00.000Z'],
  ['now+5m-1s', '2015-03-31T13:19:14.678Z'],
  ['2015-01-01', '2015-01-01T00:00:00.000Z'],
  ['2015-01-01||+1M', '2015-02-01T00:00:00.000Z'],
])('%s is %s', (text, expected) => {
  expect(dateMath(text, NOW)?.toISOString()).toBe(expected)
})

test.each(['', 'then', 'now-', 'now-1x', 'now 1d', '2015-13-01'])('%j is no date', (text) => {
  expect(dateMath(text, NOW)).toBeUndefined()
})
