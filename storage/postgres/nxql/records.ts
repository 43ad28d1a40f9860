import type { FunctionCall, Query, Reference, SelectItem } from '../../../core/model/nxql/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import { compileMatches, type NxqlScope } from './compile.js'
import type { Context } from './context.js'
import { compileOrderBy, compileScore, requireSelected } from './order-by.js'
import { countRows, type NxqlPage, ownPage, type Statement, withPage } from './page.js'
import { placeOf, valuePlaceOf } from './place.js'
import type { Scalar, ScalarKind } from './scalar.js'
import { leftJoin, type Table } from './tables.js'
import { refuse } from './unsupported.js'

/** A query compiled for rows: columns `c0`, `c1`, … in the order of `keys`. */
export type RecordPlan = {
  /** What the columns are called: the operands as written. */
  keys: readonly string[]
  rows(page?: NxqlPage): Statement
  /** One row with the column `count` (bigint). With `atMost`, counting stops there. */
  count(atMost?: number): Statement
  /** The lists, as written, of whose elements each pair is a row, and how many rows that makes; absent: none are. */
  crossed?: { lists: readonly string[]; count(atMost?: number): Statement }
}

type Column = { key: string; sql: () => string; tables: readonly Table[] }

/** A value as it travels: numbers as JSON keep their digits, dates are ISO 8601 in UTC. */
const travelling = ({ kind, sql }: Scalar): string => {
  switch (kind) {
    case 'number':
      return `to_jsonb(${sql})`
    case 'uuid':
      return `${sql}::text`
    case 'instant':
      return `to_char(${sql} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    default:
      return sql
  }
}

const plainColumn = (reference: Reference, key: string, context: Context): Column => {
  const place = placeOf(reference, context)
  if (place.kind === 'score')
    return { key, sql: () => `to_jsonb(${compileScore(reference, context)})`, tables: [] }
  const value = valuePlaceOf(reference, context)
  if (!value) throw refuse(`${reference.name} cannot be selected`, reference.offset)
  const isWhole = value.list !== null || value.scalar.kind === 'opaque'
  const sql = isWhole ? `NULLIF(${value.json}, 'null'::jsonb)` : travelling(value.scalar)
  return { key, sql: () => sql, tables: value.wildcards }
}

const AGGREGATES = ['COUNT', 'AVG', 'SUM', 'MIN', 'MAX'] as const
type Aggregate = (typeof AGGREGATES)[number]

const ORDERED: ReadonlySet<ScalarKind> = new Set(['text', 'uuid', 'number', 'isoDate', 'day', 'instant'])

const aggregateText = (aggregate: Aggregate, scalar: Scalar, refused: (what: string) => Error): string => {
  if (aggregate === 'COUNT') return `count(${scalar.sql})`
  if (aggregate === 'AVG' || aggregate === 'SUM') {
    if (scalar.kind !== 'number') throw refused('numbers')
    return `to_jsonb(${aggregate.toLowerCase()}(${scalar.sql}))`
  }
  if (!ORDERED.has(scalar.kind)) throw refused('values in an order')
  const value = scalar.kind === 'uuid' ? { kind: 'text' as const, sql: `${scalar.sql}::text` } : scalar
  return travelling({ ...value, sql: `${aggregate.toLowerCase()}(${value.sql})` })
}

/** `COUNT(ecm:uuid)`: nulls are passed over, and without rows COUNT is 0 and all others null (§7). */
const aggregateColumn = (call: FunctionCall, key: string, context: Context): Column => {
  const aggregate = AGGREGATES.find((name) => name === call.name.toUpperCase())
  if (!aggregate) throw refuse(`function ${call.name} is not supported`, call.offset)
  const [argument] = call.args
  if (argument?.kind !== 'reference' || call.args.length > 1)
    throw refuse(`${aggregate} takes one property`, call.offset)
  const place = valuePlaceOf(argument, context)
  if (!place || place.list !== null)
    throw refuse(`${argument.name} has no single value for ${aggregate}`, argument.offset)
  const refused = (what: string) =>
    refuse(`${aggregate} takes ${what}, which ${argument.name} has not,`, argument.offset)
  const sql = aggregateText(aggregate, place.scalar, refused)
  return { key, sql: () => (aggregate === 'COUNT' ? `to_jsonb(${sql})` : sql), tables: place.wildcards }
}

const UUID: SelectItem = {
  operand: { kind: 'reference', name: 'ecm:uuid', cast: null, hint: null, offset: 0 },
  alias: null,
  source: 'ecm:uuid',
}

/** Ids are told once anyway. */
const isDistinct = ({ select }: Query): boolean => select.kind === 'items' && select.distinct

const columnOf = ({ operand, source }: SelectItem, context: Context): Column => {
  if (operand.kind === 'function') return aggregateColumn(operand, source, context)
  if (operand.kind === 'reference') return plainColumn(operand, source, context)
  throw refuse('SELECT takes properties and functions', operand.offset)
}

/** Whether there is one row of aggregates; they do not mix with properties, whose rows would be many. */
const isAggregated = (items: readonly SelectItem[]): boolean => {
  const [plain] = items.filter(({ operand }) => operand.kind !== 'function')
  if (plain && items.some(({ operand }) => operand.kind === 'function'))
    throw refuse('SELECT takes functions or properties, not both,', plain.operand.offset)
  return !plain
}

/** Lists that are not inside one another multiply the rows of each document. */
const MAX_LISTS = 2

/** Those that are not inside another one. @throws badRequest when there are too many. */
const outerLists = (tables: readonly Table[], { select }: Query): readonly Table[] => {
  const lists = tables.filter(({ sql }) => !tables.some(({ alias }) => sql.includes(`${alias}.`)))
  if (lists.length <= MAX_LISTS) return lists
  const what = `SELECT goes through ${lists.length} lists, each combination of whose elements would be a row: at most ${MAX_LISTS}`
  throw refuse(`${what} may be selected,`, select.offset)
}

/**
 * Compiles a query to rows of what it selects, with the principal's read rights inside (reference:
 * nxql-search.md §7). A wildcard in SELECT makes a row of each element, and one of null where there is none;
 * aggregates make one row. Without a list, `SELECT *` gives ids.
 *
 * @throws badRequest as `compileNxql` does, and for what has no place in SELECT.
 */
export const compileRecords = (query: Query, scope: NxqlScope): RecordPlan => {
  const items = query.select.kind === 'all' ? [UUID] : query.select.items
  const isOneRow = isAggregated(items)
  if (query.orderBy.some(({ reference }) => reference.name === 'ecm:path'))
    throw fail('badRequest', 'NXQL: ecm:path is no order for rows')
  requireSelected(query)
  let columns: Column[] = []
  const { context, from, conditions } = compileMatches(query, scope, (prepared) => {
    prepared.correlations.selecting(true)
    columns = items.map((item) => columnOf(item, prepared))
    prepared.correlations.selecting(false)
  })
  const tables = [...context.correlations.selected(), ...columns.flatMap((column) => column.tables)]
  const lists = outerLists(tables, query)
  const joins = tables.map(leftJoin).join('')
  const source = `FROM ${from}${joins} WHERE ${conditions.join(' AND ')}`
  const selected = columns.map(({ sql }, position) => `${sql()} AS c${position}`).join(', ')
  const distinct = isDistinct(query)
  const text = `SELECT ${distinct ? 'DISTINCT ' : ''}${selected} ${source}`
  const order = isOneRow ? [] : orderOf(query, { context, tables, columns })
  const sorted = order.length === 0 ? text : `${text} ORDER BY ${order.join(', ')}`
  const parameters = context.binder.values
  const nameOf = ({ alias }: Table): string =>
    columns.find(({ sql }) => sql().includes(`${alias}.`))?.key ?? 'a list'
  return {
    keys: columns.map(({ key }) => key),
    rows: (page) => withPage(sorted, parameters, isOneRow ? {} : { ...ownPage(query), ...page }),
    count: (atMost) => countRows(text, parameters, atMost),
    ...(lists.length > 1 && {
      crossed: {
        lists: lists.map(nameOf),
        count: (atMost) => countRows(`SELECT 1 ${source}`, parameters, atMost),
      },
    }),
  }
}

/** A total order, so that pages fit together: by all columns where equal rows are told once, else by what rows are made of. */
const orderOf = (
  query: Query,
  { context, tables, columns }: { context: Context; tables: readonly Table[]; columns: readonly Column[] },
): string[] => {
  const { orderBy, select } = query
  if (select.kind === 'items' && isDistinct(query)) {
    const chosen = orderBy.map(({ reference, descending }) => {
      const position = select.items.findIndex(
        ({ operand }) =>
          operand.kind === 'reference' && operand.name === reference.name && operand.cast === reference.cast,
      )
      return `${position + 1}${descending ? ' DESC' : ''}`
    })
    return [...chosen, ...columns.map((_, position) => String(position + 1))]
  }
  const ranks = tables.map(({ rank }) => rank)
  const selected = new Set(tables.map(({ alias }) => alias))
  return [...compileOrderBy(orderBy, context, selected), 'd.id', ...ranks]
}
