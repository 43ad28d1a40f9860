import { expect, test } from 'vitest'
import { bucketsOf } from './buckets.js'
import { type AggregateDefinition, aggregateContent } from './definition.js'

const NOW = new Date('2015-03-31T00:00:00.000Z')

const aggregate = (content: object): AggregateDefinition =>
  aggregateContent.parse({ id: 'a', field: 'dc:nature', ...content })

test('ranges keep their order, with open ends as words', () => {
  const ranges = [
    { key: 'big', from: 10 },
    { key: 'small', to: 10 },
  ]
  const counts = [
    { key: '1', count: 3 },
    { key: '0', count: 2 },
  ]
  expect(bucketsOf(aggregate({ type: 'range', ranges }), counts, NOW)).toEqual([
    { key: 'big', docCount: 2, from: 10, to: 'Infinity' },
    { key: 'small', docCount: 3, from: '-Infinity', to: 10 },
  ])
})

test('ranges of dates have instants, and null where they are open', () => {
  const dateRanges = [{ key: 'old', to: 'now-1y' }]
  expect(bucketsOf(aggregate({ type: 'date_range', dateRanges }), [{ key: '0', count: 1 }], NOW)).toEqual([
    {
      key: 'old',
      docCount: 1,
      from: null,
      to: Date.parse('2014-03-31T00:00:00.000Z'),
      fromAsDate: null,
      toAsDate: '2014-03-31T00:00:00.000Z',
    },
  ])
})

test('a histogram fills in empty buckets when none are too few, between its bounds', () => {
  const properties = { interval: 10, minDocCount: 0, extendedBoundsMin: 0, extendedBoundsMax: 35 }
  const counts = [
    { key: '20', count: 2 },
    { key: '10', count: 1 },
  ]
  const buckets = bucketsOf(aggregate({ type: 'histogram', properties }), counts, NOW)
  expect(buckets.map(({ key, docCount }) => [key, docCount])).toEqual([
    ['0', 0],
    ['10', 1],
    ['20', 2],
    ['30', 0],
  ])
})

test('a histogram can be sorted by count', () => {
  const counts = [
    { key: '0', count: 1 },
    { key: '10', count: 5 },
  ]
  const properties = { interval: 10, order: 'count desc' }
  const buckets = bucketsOf(aggregate({ type: 'histogram', properties }), counts, NOW)
  expect(buckets.map(({ key }) => key)).toEqual(['10', '0'])
})

test('a histogram of dates names its buckets by the pattern', () => {
  const properties = { interval: 'month', format: 'MM-yyyy', minDocCount: 0 }
  const counts = ['2015-01-01', '2015-03-01'].map((date) => ({ key: String(Date.parse(date)), count: 1 }))
  const buckets = bucketsOf(aggregate({ type: 'date_histogram', properties }), counts, NOW)
  expect(buckets.map(({ key, docCount, fromAsDate }) => [key, docCount, fromAsDate])).toEqual([
    ['01-2015', 1, '2015-01-01T00:00:00.000Z'],
    ['02-2015', 0, '2015-02-01T00:00:00.000Z'],
    ['03-2015', 1, '2015-03-01T00:00:00.000Z'],
  ])
})

test('a histogram of dates follows the clocks of its zone, and fills in up to its bounds', () => {
  const properties = {
    interval: 'day',
    format: 'yyyy-MM-dd',
    timeZone: 'Europe/Paris',
    minDocCount: 0,
    extendedBoundsMin: '2015-03-28T12:00:00Z',
    extendedBoundsMax: 'now',
  }
  const counts = [{ key: String(Date.parse('2015-03-28T23:00:00Z')), count: 2 }]
  const buckets = bucketsOf(aggregate({ type: 'date_histogram', properties }), counts, NOW)
  expect(buckets.map(({ key, docCount, fromAsDate }) => [key, docCount, fromAsDate])).toEqual([
    ['2015-03-28', 0, '2015-03-27T23:00:00.000Z'],
    ['2015-03-29', 2, '2015-03-28T23:00:00.000Z'],
    ['2015-03-30', 0, '2015-03-29T22:00:00.000Z'],
    ['2015-03-31', 0, '2015-03-30T22:00:00.000Z'],
  ])
})

test('bounds that need too many buckets are refused', () => {
  const properties = { interval: 1, minDocCount: 0, extendedBoundsMin: 0, extendedBoundsMax: 1e9 }
  expect(() => bucketsOf(aggregate({ type: 'histogram', properties }), [], NOW)).toThrowError('buckets')
})
