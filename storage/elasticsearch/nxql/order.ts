import type { estypes } from '@elastic/elasticsearch'
import { type OrderItem, type SortKey, scoredSearch, sortKeyOf } from '../../../core/model/nxql/index.js'
import type { Context } from './context.js'
import { notAnswerable } from './not-answerable.js'
import { fieldOf } from './place.js'

export type Sort = estypes.SortCombinations[]

/** Whatever is equal stands in the order of ids. */
const LAST: Sort = [{ 'ecm:uuid': { order: 'asc' } }]

const fieldFor = (key: Exclude<SortKey, { kind: 'score' }>, context: Context): string => {
  if (key.kind === 'path') return 'ecm:path'
  if (key.place.isDay) throw notAnswerable(`${key.place.reference.name} is sorted by its day`)
  return fieldOf(key.place, context).field
}

const sortOf = ({ reference, descending }: OrderItem, context: Context): estypes.SortCombinations => {
  const key = sortKeyOf(reference, context.model)
  const order = descending ? 'desc' : 'asc'
  if (key.kind === 'score') {
    scoredSearch(reference, context.searched)
    return { _score: { order } }
  }
  const field = fieldFor(key, context)
  context.complete.add(field)
  // Nulls are the largest.
  return { [field]: { order, missing: descending ? '_first' : '_last' } }
}

/** What a query sorts by; without an ORDER BY the one search decides, if there is just one. */
export const sortFor = (items: readonly OrderItem[], context: Context): Sort => {
  const isScored = items.length === 0 && context.searched.length === 1
  const written = isScored
    ? [{ _score: { order: 'desc' as const } }]
    : items.map((item) => sortOf(item, context))
  return [...written, ...LAST]
}
