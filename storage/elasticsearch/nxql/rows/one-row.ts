import type { estypes } from '@elastic/elasticsearch'
import type { Column } from '../../../../core/model/nxql/index.js'
import type { PropertyValue } from '../../../../core/model/properties/index.js'
import type { Context } from '../context.js'
import { notAnswerable } from '../not-answerable.js'
import { fieldOf, type IndexPlace } from '../place.js'
import { quotient } from './quotient.js'
import { rowValue } from './values.js'

/** What an aggregation has found, by the kinds that are asked for. */
export type Found = {
  value?: number | null
  count?: number
  min?: number | null
  max?: number | null
  sum?: number
  buckets?: readonly { key: string }[]
}

/** An aggregate as the engine computes it, and its value of the answer; without an aggregation it is the total. */
type Computed = {
  aggregation?: estypes.AggregationsAggregationContainer
  read(found: Found, total: number): PropertyValue
}

/** @throws NotAnswerable where sums on the way may have lost digits. */
export const exactSum = ({ count = 0, min, max, sum = 0 }: Found): number => {
  const largest = Math.max(Math.abs(min ?? 0), Math.abs(max ?? 0))
  if (count * largest <= Number.MAX_SAFE_INTEGER) return sum
  throw notAnswerable('a sum has more digits than the index keeps')
}

const summed = ({ field, mapping }: IndexPlace, isAverage: boolean): Computed => {
  if (mapping.type !== 'long') throw notAnswerable('sums of fractions are computed with all digits')
  return {
    aggregation: { stats: { field } },
    read: (found) => {
      const { count = 0 } = found
      if (count === 0) return null
      const sum = exactSum(found)
      return isAverage ? quotient(BigInt(sum), BigInt(count)) : sum
    },
  }
}

const extreme = ({ field, type }: IndexPlace, isLargest: boolean): Computed => {
  if (type === 'day') throw notAnswerable('days are not in the index')
  if (type !== 'text' && type !== 'id')
    return {
      aggregation: isLargest ? { max: { field } } : { min: { field } },
      read: ({ value }) => rowValue(type, value),
    }
  return {
    aggregation: { terms: { field, size: 1, order: { _key: isLargest ? 'desc' : 'asc' } } },
    read: ({ buckets = [] }) => rowValue(type, buckets[0]?.key),
  }
}

/** @throws NotAnswerable for what the index does not compute as the repository does. */
export const computed = (column: Column, context: Context): Computed => {
  if (column.kind !== 'aggregate') throw notAnswerable('a function is mixed with values')
  const { aggregate, place } = column
  const { source } = place
  // Each document has one.
  if (aggregate === 'COUNT' && source.kind === 'special' && source.name === 'ecm:uuid')
    return { read: (_, total) => total }
  const indexed = fieldOf(place, context)
  if (indexed.reach !== 'one') throw notAnswerable(`${place.reference.name} has several values`)
  context.complete.add(indexed.field)
  switch (aggregate) {
    case 'COUNT':
      return { aggregation: { value_count: { field: indexed.field } }, read: ({ value }) => value ?? 0 }
    case 'SUM':
    case 'AVG':
      return summed(indexed, aggregate === 'AVG')
    case 'MIN':
    case 'MAX':
      return extreme(indexed, aggregate === 'MAX')
  }
}
