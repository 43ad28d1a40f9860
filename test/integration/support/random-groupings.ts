import type { Grouping } from '../../../core/model/nxql/index.js'
import type { Random } from '../../../core/model/nxql/random-query.fixture.js'

const METRICS = ['cardinality', 'count', 'sum', 'avg', 'min', 'max', 'missing'] as const

/** Each value with as many documents as have it, by the values. */
export const EVERY_TERM: Grouping = {
  kind: 'terms',
  size: 1_000,
  minCount: 1,
  order: { by: 'term', isAscending: true },
}

const someTerms = (random: Random): Grouping => ({
  kind: 'terms',
  size: 1 + random.below(4),
  minCount: 1 + random.below(3),
  order: { by: random.pick(['count', 'term']), isAscending: random.chance(0.5) },
})

/** A property of the sample model, and a way to count by it. */
export const randomGrouping = (random: Random): { field: string; grouping: Grouping } => {
  const number = random.pick(['s:size', 's:numbers', 'file:content/length'])
  const date = random.pick(['dc:created', 'dc:modified', 's:dates'])
  return random.pick([
    {
      field: random.pick(['dc:title', 'dc:subjects', 'ecm:primaryType', 's:flag']),
      grouping: someTerms(random),
    },
    {
      field: number,
      grouping: {
        kind: 'ranges',
        ranges: [
          { from: null, to: 1 },
          { from: 1, to: 40 },
          { from: 3, to: null },
        ],
      },
    },
    { field: number, grouping: { kind: 'histogram', interval: 1 + random.below(20) } },
    {
      field: date,
      grouping: {
        kind: 'dateHistogram',
        unit: random.pick(['day', 'month', 'quarter', 'year']),
        timeZone: random.pick(['UTC', 'Europe/Paris', '+02:00']),
      },
    },
    { field: number, grouping: { kind: 'metric', metric: random.pick(METRICS) } },
  ] as const)
}
