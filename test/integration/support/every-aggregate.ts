import type { PageProviderDefinition } from '../../../core/search/page-providers/index.js'

type Definition = PageProviderDefinition['aggregates'][number]

/** The field of `default_search` that holds the chosen keys of an aggregate, by its type. */
export const AGGREGATE_FIELDS: { [type: string]: string } = {
  terms: 'dc_nature_agg',
  significant_terms: 'dc_subjects_agg',
  range: 'common_size_agg',
  date_range: 'dc_modified_agg',
  histogram: 'dc_creator_agg',
  date_histogram: 'dc_coverage_agg',
}

const aggregate = (type: Definition['type'], field: string, more: Partial<Definition> = {}): Definition => ({
  id: type,
  type,
  field,
  ...(type in AGGREGATE_FIELDS && { selection: `default_search:${AGGREGATE_FIELDS[type]}` }),
  properties: {},
  ranges: [],
  dateRanges: [],
  ...more,
})

const METRICS = ['cardinality', 'count', 'sum', 'avg', 'min', 'max'] as const

/** An aggregate of each type, over texts, numbers and dates. */
export const EVERY_AGGREGATE: readonly Definition[] = [
  aggregate('terms', 'dc:nature', { properties: { order: 'term asc', size: 2 } }),
  aggregate('significant_terms', 'dc:subjects'),
  aggregate('range', 'common:size', {
    ranges: [
      { key: 'few', to: 40 },
      { key: 'many', from: 40 },
    ],
  }),
  aggregate('date_range', 'dc:issued', {
    dateRanges: [
      { key: 'before', to: '2026-03-01' },
      { key: 'after', from: '2026-03-01', to: '2027-01-01' },
    ],
  }),
  aggregate('histogram', 'common:size', { properties: { interval: 30 } }),
  aggregate('date_histogram', 'dc:issued', {
    properties: { interval: 'month', format: 'yyyy-MM', timeZone: 'Europe/Paris' },
  }),
  ...METRICS.map((type) => aggregate(type, 'common:size')),
  aggregate('missing', 'dc:coverage'),
]
