import { fail } from '../../../platform/errors/index.js'
import type { ContentModel } from '../../content-model/index.js'
import type { FunctionCall, Query, Reference, SelectItem } from '../ast.js'
import type { Kind } from './kinds.js'
import { locate, locateValue, valueAt } from './locate.js'
import { requireSelected } from './order.js'
import { type ValuePlace, variablesOf } from './place.js'
import { refuse } from './refuse.js'

const AGGREGATES = ['COUNT', 'AVG', 'SUM', 'MIN', 'MAX'] as const

export type Aggregate = (typeof AGGREGATES)[number]

/** A column of the rows that a query selects, under its operand as written. */
export type Column = { key: string } & (
  | { kind: 'value'; place: ValuePlace }
  | { kind: 'score'; reference: Reference }
  /** Nulls are left out, and without rows COUNT is 0 and all others null (nxql-search.md §7). */
  | { kind: 'aggregate'; aggregate: Aggregate; place: ValuePlace }
)

/**
 * What the rows of a query consist of. A wildcard makes a row of each element, and one of null where there is none.
 *
 * @property isOneRow there is one row, of aggregates.
 * @property isDistinct equal rows are listed once.
 * @property variables the numbered wildcards that the columns go through.
 */
export type Selection = {
  columns: readonly Column[]
  isOneRow: boolean
  isDistinct: boolean
  variables: readonly string[]
}

const UUID: SelectItem = {
  operand: { kind: 'reference', name: 'ecm:uuid', cast: null, hint: null, offset: 0 },
  alias: null,
  source: 'ecm:uuid',
}

const ORDERED: ReadonlySet<Kind> = new Set(['text', 'id', 'number', 'date', 'day'])

const requireKind = (aggregate: Aggregate, { type, reference }: ValuePlace): void => {
  const refused = (what: string) =>
    refuse(`${aggregate} takes ${what}, which ${reference.name} has not,`, reference.offset)
  if ((aggregate === 'AVG' || aggregate === 'SUM') && type !== 'number') throw refused('numbers')
  if ((aggregate === 'MIN' || aggregate === 'MAX') && !ORDERED.has(type)) throw refused('values in an order')
}

const aggregateColumn = (call: FunctionCall, key: string, model: ContentModel): Column => {
  const aggregate = AGGREGATES.find((name) => name === call.name.toUpperCase())
  if (!aggregate) throw refuse(`function ${call.name} is not supported`, call.offset)
  const [argument] = call.args
  if (argument?.kind !== 'reference' || call.args.length > 1)
    throw refuse(`${aggregate} takes one property`, call.offset)
  const place = locateValue(argument, model)
  if (!place || place.isList)
    throw refuse(`${argument.name} has no single value for ${aggregate}`, argument.offset)
  requireKind(aggregate, place)
  return { key, kind: 'aggregate', aggregate, place }
}

const columnOf = ({ operand, source: key }: SelectItem, model: ContentModel): Column => {
  if (operand.kind === 'function') return aggregateColumn(operand, key, model)
  if (operand.kind !== 'reference') throw refuse('SELECT takes properties and functions', operand.offset)
  const located = locate(operand, model)
  if (located.kind === 'score') return { key, kind: 'score', reference: operand }
  const place = valueAt(located, operand)
  if (!place) throw refuse(`${operand.name} cannot be selected`, operand.offset)
  return { key, kind: 'value', place }
}

/** Aggregates do not mix with properties, whose rows would be many. */
const isAggregated = (items: readonly SelectItem[]): boolean => {
  const [plain] = items.filter(({ operand }) => operand.kind !== 'function')
  if (plain && items.some(({ operand }) => operand.kind === 'function'))
    throw refuse('SELECT takes functions or properties, not both,', plain.operand.offset)
  return !plain
}

/**
 * What a query for rows selects (reference: nxql-search.md §7). `SELECT *` selects ids.
 *
 * @throws badRequest for what has no place in SELECT.
 */
export const selectionOf = (query: Query, model: ContentModel): Selection => {
  const { select, orderBy } = query
  const items = select.kind === 'all' ? [UUID] : select.items
  const isOneRow = isAggregated(items)
  if (orderBy.some(({ reference }) => reference.name === 'ecm:path'))
    throw fail('badRequest', 'NXQL: ecm:path is no order for rows')
  requireSelected(query)
  const columns = items.map((item) => columnOf(item, model))
  return {
    columns,
    isOneRow,
    // Ids are listed once anyway.
    isDistinct: select.kind === 'items' && select.distinct,
    variables: columns.flatMap((column) => ('place' in column ? variablesOf(column.place) : [])),
  }
}

/**
 * Checks what a query for documents selects: it finds whole ones, so what it selects must only make sense.
 *
 * @returns the references to the score of a search.
 */
export const checkSelection = ({ select, orderBy }: Query, model: ContentModel): readonly Reference[] => {
  if (select.kind === 'all') return []
  const scores = select.items.flatMap(({ operand }) => {
    if (operand.kind !== 'reference')
      throw refuse('SELECT takes properties, functions only where rows are asked for,', operand.offset)
    return locate(operand, model).kind === 'score' ? [operand] : []
  })
  requireSelected({ select, orderBy })
  return scores
}
