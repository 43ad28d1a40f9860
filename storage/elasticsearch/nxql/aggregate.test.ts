import { describe, expect, test } from 'vitest'
import { type Metric, parseNxql, parseReference } from '../../../core/model/nxql/index.js'
import { sampleModel } from '../../../core/model/nxql/model.fixture.js'
import { NO_ADDITIONS } from '../../../core/search/index-shape/index.js'
import { compileAggregate } from './index.js'

const plan = (field: string, metric: Metric) =>
  compileAggregate(
    parseNxql('SELECT * FROM File'),
    { reference: parseReference(field)!, grouping: { kind: 'metric', metric } },
    {
      model: sampleModel(),
      now: new Date(0),
      rights: [],
      words: new Map(),
      shape: NO_ADDITIONS,
      index: 'own',
      shown: new Set<string>(),
    },
  )

describe('metrics of whole numbers', () => {
  const found = { stats: { count: 3, min: -1, max: 9, sum: 10 }, missing: { doc_count: 2 } }

  test.each([
    ['count', '3'],
    ['missing', '2'],
    ['sum', '10'],
    ['min', '-1'],
    ['max', '9'],
    ['avg', '3.3333333333333333'],
  ] as const)('%s is read with the digits of the repository', (metric, key) => {
    const { aggregation, read } = plan('s:numbers', metric)
    expect(aggregation.aggs).toEqual({
      stats: { stats: { field: 's:numbers' } },
      missing: { missing: { field: 's:numbers' } },
    })
    expect(read(found)).toEqual([{ key, count: 5 }])
  })

  test('there is none of no numbers', () => {
    const none = { stats: { count: 0, min: null, max: null, sum: 0 }, missing: { doc_count: 4 } }
    expect(plan('s:size', 'max').read(none)).toEqual([{ key: null, count: 4 }])
    expect(plan('s:size', 'count').read(none)).toEqual([{ key: '0', count: 4 }])
  })

  test.each([
    ['s:size', 'cardinality'],
    ['s:score', 'avg'],
    ['dc:title', 'min'],
  ] as const)('of %s, %s is left to the repository', (field, metric) =>
    expect(() => plan(field, metric)).toThrow(/all digits/),
  )

  test('so are those whose digits may be lost', () => {
    const large = { stats: { count: 2, min: 0, max: 2 ** 53, sum: 2 ** 53 }, missing: { doc_count: 0 } }
    expect(() => plan('s:size', 'max').read(large)).toThrow(/digits/)
  })
})
