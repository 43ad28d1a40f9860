import { type Selection, type ValuePlace, variablesOf } from '../../../core/model/nxql/index.js'
import { type IndexPlan, notAnswerable } from '../nxql/index.js'

const isOfElements = (place: ValuePlace): boolean =>
  variablesOf(place).length > 0 ||
  place.source.kind === 'tag' ||
  place.source.kind === 'ace' ||
  (place.source.kind === 'property' && place.source.steps.some(({ kind }) => kind === 'any'))

/** Whether there is one row for each document, of values that the repository has by its id. */
export const isPlain = ({ columns, isOneRow, isDistinct }: Selection): boolean =>
  !isOneRow &&
  !isDistinct &&
  columns.every((column) => column.kind === 'value' && !isOfElements(column.place))

/** @throws NotAnswerable for an order that is not known of rows that are read by their ids. */
export const requireOrder = ({ sort }: Pick<IndexPlan, 'sort'>): void => {
  if (sort.some((key) => typeof key === 'object' && '_score' in key))
    throw notAnswerable('rows are sorted by how well they fit a search')
}
