import { refuse, type Source, type ValuePlace } from '../../../../core/model/nxql/index.js'
import { type Context, MAX_ELEMENT_READS } from '../context.js'
import { propertyPlace } from './property-place.js'
import { dayOf, type Scalar } from './scalar.js'
import { SPECIAL_COLUMNS } from './special.js'
import { acePlace, blobKeysPlace, tagPlace } from './special-lists.js'
import type { Table } from './tables.js'

/**
 * Where values stand in the statement. `wildcards` are the tables of elements to look through for an unnumbered `*`;
 * `list` is the table of a list named without one: its conditions hold for any, their negations for no element.
 */
export type SqlPlace = {
  scalar: Scalar
  wildcards: readonly Table[]
  list: string | null
  /** It is in an element of a numbered wildcard. */
  isCorrelated: boolean
  /** The JSON text of a document that has `value` (JSON text) here, when containment can say it. */
  containing: ((value: string) => string) | null
  /** SQL of type `jsonb`, for what is no scalar. */
  json: string | null
  /** What an index answers of a document that has the value here, bound already; null when there is none. */
  prefilter?: (value: string) => string
}

const columnPlace = (scalar: Scalar): SqlPlace => ({
  scalar,
  wildcards: [],
  list: null,
  isCorrelated: false,
  containing: null,
  json: null,
})

const sourcePlace = (source: Source, place: ValuePlace, context: Context): SqlPlace => {
  switch (source.kind) {
    case 'special':
      return columnPlace(SPECIAL_COLUMNS[source.name])
    case 'property':
      return propertyPlace(source, place, context)
    case 'tag':
      return tagPlace(source.variable, place, context)
    case 'ace':
      return acePlace(source, place, context)
    case 'blobKeys':
      return blobKeysPlace(context)
  }
}

/**
 * Puts the tables that a place needs into the statement.
 *
 * @throws badRequest when the query reads too many elements.
 */
export const placeSql = (place: ValuePlace, context: Context): SqlPlace => {
  const found = sourcePlace(place.source, place, context)
  const isOfElements = found.wildcards.length > 0 || found.list !== null
  if (isOfElements && !context.elementReads(1))
    throw refuse(
      `more than ${MAX_ELEMENT_READS} conditions on elements of lists, tags or ACLs`,
      place.reference.offset,
    )
  return place.isDay ? { ...found, scalar: dayOf(found.scalar), containing: null, json: null } : found
}
