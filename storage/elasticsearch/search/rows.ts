import { type Selection, type ValuePlace, variablesOf } from '../../../core/model/nxql/index.js'
import { type IndexPlan, notAnswerable } from '../nxql/index.js'

const isOfElements = (place: ValuePlace): boolean =>
  variablesOf(place).length > 0 ||
  place.source.kind === 'tag' ||
  place.source.kind === 'ace' ||
  (place.source.kind === 'property' && place.source.steps.some(({ kind }) => kind === 'any'))

/** Whether the one row of a query counts documents, by ids, which all have. */
export const isCount = ({ columns, isOneRow }: Selection): boolean =>
  isOneRow &&
  columns.every(
    (column) =>
      column.kind === 'aggregate' &&
      column.aggregate === 'COUNT' &&
      column.place.source.kind === 'special' &&
      column.place.source.name === 'ecm:uuid',
  )

/** One row for each document, whose values the repository has. @throws NotAnswerable for other rows. */
export const requirePlainRows = (
  { columns, isOneRow, isDistinct }: Selection,
  { sort }: Pick<IndexPlan, 'sort'>,
): void => {
  if (sort.some((key) => typeof key === 'object' && '_score' in key))
    throw notAnswerable('rows are sorted by how well they fit a search')
  if (isOneRow) throw notAnswerable('what is computed of values keeps all their digits')
  if (isDistinct) throw notAnswerable('equal rows are listed once')
  for (const column of columns)
    if (column.kind !== 'value' || isOfElements(column.place))
      throw notAnswerable(`${column.key} is no value of a document`)
}
