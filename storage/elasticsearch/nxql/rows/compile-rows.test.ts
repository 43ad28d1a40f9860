import { describe, expect, test } from 'vitest'
import { parseNxql, selectionOf } from '../../../../core/model/nxql/index.js'
import { sampleModel } from '../../../../core/model/nxql/model.fixture.js'
import { NO_ADDITIONS } from '../../../../core/search/index-shape/index.js'
import { compileRows } from './compile-rows.js'

const model = sampleModel()

const plan = (
  text: string,
  page: { limit: number; offset: number; countAtMost?: number } = { limit: 10, offset: 0 },
) => {
  const query = parseNxql(text)
  const scope = {
    model,
    now: new Date(0),
    rights: [],
    words: new Map(),
    shape: NO_ADDITIONS,
    index: 'own',
    shown: new Set<string>(),
  }
  return compileRows(query, selectionOf(query, model), { scope, page })
}

const source = (name: string, field: string, order: 'asc' | 'desc' = 'asc') => ({
  [name]: {
    terms: { field, order, missing_bucket: true, missing_order: order === 'asc' ? 'last' : 'first' },
  },
})

describe('different rows', () => {
  test('are sorted by what the query says, then by all columns, and counted as far as is asked', () => {
    const { aggregations, read, incomplete } = plan(
      'SELECT DISTINCT dc:title, s:flag, dc:created, ecm:pos FROM File ORDER BY dc:created DESC',
      { limit: 1, offset: 1, countAtMost: 1 },
    )
    expect(aggregations).toEqual({
      rows: {
        composite: {
          size: 2,
          sources: [
            source('c2', 'dc:created', 'desc'),
            source('c0', 'dc:title'),
            source('c1', 's:flag'),
            source('c3', 'ecm:pos'),
          ],
        },
      },
    })
    expect(incomplete).toEqual({ terms: { _ignored: ['dc:title', 's:flag', 'dc:created', 'ecm:pos'] } })
    const key = { c0: 'a', c1: true, c2: 1_577_872_800_000, c3: 3 }
    expect(
      read({ total: 0, aggregations: { rows: { buckets: [{ key }, { key: { ...key, c0: null } }] } } }),
    ).toEqual({
      entries: [{ 'dc:title': null, 's:flag': true, 'dc:created': '2020-01-01T10:00:00.000Z', 'ecm:pos': 3 }],
      total: 2,
    })
  })

  test('too many of them, and numbers whose digits are lost, are left to the repository', () => {
    const { read } = plan('SELECT DISTINCT s:size FROM File')
    const buckets = (count: number, size: number) =>
      Array.from({ length: count }, () => ({ key: { c0: size } }))
    expect(() => read({ total: 0, aggregations: { rows: { buckets: buckets(10_000, 1) } } })).toThrow(
      /more than 10000/,
    )
    expect(() => read({ total: 0, aggregations: { rows: { buckets: buckets(1, 2 ** 53) } } })).toThrow(
      /digits/,
    )
  })
})

describe('one row', () => {
  const SELECT =
    'SELECT COUNT(ecm:uuid), COUNT(dc:title), SUM(s:size), AVG(s:size), MIN(dc:title), MAX(dc:created) FROM File'

  test('is read from what each function found', () => {
    const { aggregations, isCounted, read } = plan(SELECT)
    expect(isCounted).toBe(true)
    expect(aggregations).toEqual({
      c1: { value_count: { field: 'dc:title' } },
      c2: { stats: { field: 's:size' } },
      c3: { stats: { field: 's:size' } },
      c4: { terms: { field: 'dc:title', size: 1, order: { _key: 'asc' } } },
      c5: { max: { field: 'dc:created' } },
    })
    const stats = { count: 3, min: 1, max: 5, sum: 10 }
    const found = {
      c1: { value: 2 },
      c2: stats,
      c3: stats,
      c4: { buckets: [{ key: 'a' }] },
      c5: { value: 1_577_872_800_000 },
    }
    expect(read({ total: 4, aggregations: found })).toEqual({
      entries: [
        {
          'COUNT(ecm:uuid)': 4,
          'COUNT(dc:title)': 2,
          'SUM(s:size)': 10,
          'AVG(s:size)': 3.3333333333333335,
          'MIN(dc:title)': 'a',
          'MAX(dc:created)': '2020-01-01T10:00:00.000Z',
        },
      ],
      total: 1,
    })
  })

  test('of no documents has zeros and nulls', () => {
    const none = { count: 0, min: null, max: null, sum: 0 }
    const found = { c1: { value: 0 }, c2: none, c3: none, c4: { buckets: [] }, c5: { value: null } }
    expect(Object.values(plan(SELECT).read({ total: 0, aggregations: found }).entries[0]!)).toEqual([
      0,
      0,
      null,
      null,
      null,
      null,
    ])
  })

  test('a sum whose digits may be lost is left to the repository', () => {
    const { read } = plan('SELECT SUM(s:size) FROM File')
    const large = { count: 2, min: 1, max: 2 ** 53 - 1, sum: 2 ** 53 }
    expect(() => read({ total: 2, aggregations: { c0: large } })).toThrow(/digits/)
  })
})

test.each([
  ['SELECT SUM(s:score) FROM File', /fractions/],
  ['SELECT MIN(DATE(dc:created)) FROM File', /days/],
  ['SELECT COUNT(dc:subjects/*) FROM File', /several values/],
  ['SELECT DISTINCT dc:subjects FROM File', /does not list/],
  ['SELECT DISTINCT s:people/*/name FROM File', /does not list/],
  ['SELECT DISTINCT dc:subjects/*, ecm:tag FROM File', /pairs of elements/],
  ["SELECT DISTINCT dc:subjects/*1 FROM File WHERE dc:subjects/*1 = 'a'", /same element/],
  ['SELECT dc:subjects/* FROM File', /element of a list/],
])('%s is left to the repository', (query, reason) => expect(() => plan(query)).toThrow(reason))
