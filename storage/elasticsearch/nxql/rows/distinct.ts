import type { estypes } from '@elastic/elasticsearch'
import type { Column, OrderItem, Query } from '../../../../core/model/nxql/index.js'
import { variablesOf } from '../../../../core/model/nxql/index.js'
import type { Context } from '../context.js'
import { notAnswerable } from '../not-answerable.js'
import { fieldOf, type IndexPlace, noteVariables } from '../place.js'

type Sources = NonNullable<estypes.AggregationsCompositeAggregation['sources']>

/** A column of rows that are listed once: its operand as written, where its values are, and its name in the answer. */
export type DistinctColumn = { key: string; place: IndexPlace; name: string }

/** @throws NotAnswerable for values that the index does not give one by one. */
const placed = (column: Column, context: Context): IndexPlace => {
  if (column.kind !== 'value') throw notAnswerable('rows show how well they fit a search')
  const place = fieldOf(column.place, context)
  const isListed = place.reach === 'one' || place.reach === 'element'
  if (!isListed || place.type === 'day' || place.type === 'opaque')
    throw notAnswerable(`the index does not list ${column.place.reference.name}`)
  noteVariables(variablesOf(column.place), context)
  context.complete.add(place.field)
  return place
}

const positionOf = ({ reference }: OrderItem, { select }: Query): number =>
  select.kind === 'items'
    ? select.items.findIndex(
        ({ operand }) =>
          operand.kind === 'reference' && operand.name === reference.name && operand.cast === reference.cast,
      )
    : -1

/**
 * The values by which rows differ, sorted as the repository sorts them: by what the query says, then by all columns,
 * nulls as the largest.
 *
 * @throws NotAnswerable for columns that the index does not list so.
 */
export const distinctSources = (
  query: Query,
  columns: readonly Column[],
  context: Context,
): { columns: DistinctColumn[]; sources: Sources } => {
  const placedColumns = columns.map((column, position) => ({
    key: column.key,
    place: placed(column, context),
    name: `c${position}`,
  }))
  if (placedColumns.filter(({ place }) => place.reach === 'element').length > 1)
    throw notAnswerable('rows are pairs of elements of lists')
  const order = [
    ...query.orderBy.map((item) => ({ at: positionOf(item, query), isDescending: item.descending })),
    ...placedColumns.map((_, at) => ({ at, isDescending: false })),
  ]
  const sources = new Map<number, Sources[number]>()
  for (const { at, isDescending } of order) {
    const column = placedColumns[at]
    if (!column || sources.has(at)) continue
    sources.set(at, {
      [column.name]: {
        terms: {
          field: column.place.field,
          order: isDescending ? 'desc' : 'asc',
          missing_bucket: true,
          missing_order: isDescending ? 'first' : 'last',
        },
      },
    })
  }
  return { columns: placedColumns, sources: [...sources.values()] }
}
