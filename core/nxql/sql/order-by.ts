import type { OrderItem, Reference } from '../ast.js'
import type { Context } from './context.js'
import { placeOf } from './place.js'
import { refuse } from './unsupported.js'

const sortable = (reference: Reference, context: Context): string => {
  const place = placeOf(reference, context)
  if (place.kind === 'path') return 'd.path'
  const isSingle =
    place.kind === 'value' &&
    place.scalar.kind !== 'opaque' &&
    place.list === null &&
    place.wildcards.length === 0 &&
    !place.isCorrelated
  if (!isSingle) throw refuse(`${reference.name} has no single value to ORDER BY`, reference.offset)
  return place.scalar.sql
}

/** The id comes last: equal rows keep their order from page to page. Nulls stand where Postgres puts them. */
export const compileOrderBy = (items: readonly OrderItem[], context: Context): string =>
  [
    ...items.map(
      ({ reference, descending }) => `${sortable(reference, context)}${descending ? ' DESC' : ''}`,
    ),
    'd.id',
  ].join(', ')
