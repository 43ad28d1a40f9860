import { aggregateDocuments, type Session } from '../../../content/documents/index.js'
import type { GroupCount } from '../../../content/stores/index.js'
import { narrowed, type Query } from '../../../model/nxql/index.js'
import type { SearchDocument } from '../search-document.js'
import { type Bucket, bucketsOf } from './buckets.js'
import type { AggregateDefinition } from './definition.js'
import { fieldReference } from './field.js'
import { groupingOf } from './grouping.js'
import { selectedKeys, selectionCondition } from './selection.js'

/** An aggregate of a page, as the wire shows it (nxql-search.md §8.3). */
export type Aggregate = {
  id: string
  field: string
  type: string
  properties: { readonly [name: string]: string }
  ranges: readonly object[]
  selection: readonly string[]
  buckets: readonly Bucket[]
  /** Chosen keys that have no bucket, then the buckets. */
  extendedBuckets: readonly Bucket[]
  /** Of a metric alone; null when nothing has a value. */
  value?: number | string | null
}

const METRICS: ReadonlySet<string> = new Set(['cardinality', 'count', 'sum', 'avg', 'min', 'max', 'missing'])

const metricValue = ([row]: readonly GroupCount[]): number | string | null => {
  const value = row?.key ?? null
  const number = Number(value)
  return value === null || Number.isNaN(number) ? value : number
}

/**
 * Computes the aggregates of a page: each counts what matches the query and the selections of the others
 * (nxql-search.md §8.3).
 *
 * @param onlySelected leave out those in which nothing is chosen.
 */
export const computeAggregates = async (
  session: Session,
  {
    query,
    definitions,
    document,
    onlySelected,
  }: {
    query: Query
    definitions: readonly AggregateDefinition[]
    document: SearchDocument
    onlySelected: boolean
  },
): Promise<Aggregate[]> => {
  const { model, now } = session
  const scope = { document, model, now }
  const conditions = new Map(definitions.map((each) => [each.id, selectionCondition(each, scope)]))
  const compute = async (definition: AggregateDefinition): Promise<Aggregate> => {
    const others = definitions.filter(({ id }) => id !== definition.id)
    const counts = await aggregateDocuments(session, {
      query: narrowed(
        query,
        others.map(({ id }) => conditions.get(id) ?? null),
      ),
      reference: fieldReference(definition.field),
      grouping: groupingOf(definition, now),
    })
    return aggregateOf(definition, selectedKeys(definition, document), counts, now)
  }
  const wanted = definitions.filter((each) => !onlySelected || selectedKeys(each, document).length > 0)
  return Promise.all(wanted.map(compute))
}

/** The condition of the chosen keys of all aggregates on the results. */
export const selectionConditions = (
  definitions: readonly AggregateDefinition[],
  { document, session }: { document: SearchDocument; session: Session },
) =>
  definitions.map((definition) =>
    selectionCondition(definition, { document, model: session.model, now: session.now }),
  )

const aggregateOf = (
  definition: AggregateDefinition,
  selection: readonly string[],
  counts: readonly GroupCount[],
  now: Date,
): Aggregate => {
  const isMetric = METRICS.has(definition.type)
  const buckets = isMetric ? [] : bucketsOf(definition, counts, now)
  const found = new Set(buckets.map(({ key }) => key))
  const missing = selection.filter((key) => !found.has(key))
  return {
    id: definition.id,
    field: definition.field,
    type: definition.type,
    properties: Object.fromEntries(
      Object.entries(definition.properties).map(([name, value]) => [name, String(value)]),
    ),
    ranges: definition.type === 'date_range' ? definition.dateRanges : definition.ranges,
    selection,
    buckets,
    extendedBuckets: [...missing.map((key) => ({ key, docCount: 0 })), ...buckets],
    ...(isMetric && { value: metricValue(counts) }),
  }
}
