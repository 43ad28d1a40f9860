import { expect, test } from 'vitest'
import { inTodaysForm, withPlainTotal } from './earlier-forms.js'

const histogram = (interval: string) => ({ date_histogram: { field: 'dc:created', interval } })

test.each([
  ['day', { calendar_interval: 'day' }],
  ['1M', { calendar_interval: '1M' }],
  ['7d', { fixed_interval: '7d' }],
  ['90s', { fixed_interval: '90s' }],
])('an interval of %s', (interval, expected) => {
  const today = { date_histogram: { field: 'dc:created', ...expected } }
  expect(inTodaysForm({ aggs: { a: histogram(interval) } })).toEqual({ aggs: { a: today } })
  const nested = {
    aggregations: { by: { terms: { field: 'x', size: 5 }, aggs: { a: histogram(interval) } } },
  }
  expect(inTodaysForm(nested)).toEqual({
    aggregations: { by: { terms: { field: 'x', size: 5 }, aggs: { a: today } } },
  })
})

test('all terms, and what is of today, queries included', () => {
  expect(inTodaysForm({ aggs: { a: { terms: { field: 'x', size: -1 } } } })).toEqual({
    aggs: { a: { terms: { field: 'x', size: 1_000 } } },
  })
  const today = {
    query: { term: { interval: 'day' } },
    aggs: { a: { histogram: { field: 'x', interval: 5 } } },
  }
  expect(inTodaysForm(today)).toEqual(today)
})

test('the number of hits is a number', () => {
  expect(withPlainTotal({ took: 1, hits: { total: { value: 7, relation: 'eq' }, hits: [] } })).toEqual({
    took: 1,
    hits: { total: 7, hits: [] },
  })
  expect(withPlainTotal({ hits: { hits: [] } })).toEqual({ hits: { hits: [] } })
})
