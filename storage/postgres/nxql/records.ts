import {
  type Aggregate,
  type Column,
  type Query,
  refuse,
  type Selection,
  selectionOf,
} from '../../../core/model/nxql/index.js'
import { compileMatches, type NxqlScope } from './compile.js'
import type { Context } from './context.js'
import { compileOrderBy, compileScore } from './order-by.js'
import { countRows, type NxqlPage, ownPage, type Statement, withPage } from './page.js'
import { d } from './places/names.js'
import { placeSql } from './places/place.js'
import type { Scalar } from './places/scalar.js'
import { leftJoin, type Table } from './places/tables.js'

/** A query compiled for rows of columns `c0`, `c1`, … */
export type RecordPlan = {
  /** What is selected, the operands as written, and the column of each: what is selected twice is read once. */
  keys: readonly { key: string; column: string }[]
  rows(page?: NxqlPage): Statement
  /** One row with the column `count` (bigint). With `atMost`, counting stops there. */
  count(atMost?: number): Statement
  /** The lists, as written, of whose elements each pair is a row, and how many rows that makes; absent: none are. */
  crossed?: { lists: readonly string[]; count(atMost?: number): Statement }
}

/** A column as SQL; a score is known when the conditions are. */
type ColumnSql = { key: string; sql: () => string; tables: readonly Table[] }

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

const aggregateText = (aggregate: Aggregate, scalar: Scalar): string => {
  if (aggregate === 'COUNT') return `to_jsonb(count(${scalar.sql}))`
  const name = aggregate.toLowerCase()
  if (aggregate === 'AVG' || aggregate === 'SUM') return `to_jsonb(${name}(${scalar.sql}))`
  const value = scalar.kind === 'uuid' ? { kind: 'text' as const, sql: `${scalar.sql}::text` } : scalar
  return travelling({ ...value, sql: `${name}(${value.sql})` })
}

const columnSql = (column: Column, context: Context): ColumnSql => {
  const { key } = column
  if (column.kind === 'score')
    return { key, sql: () => `to_jsonb(${compileScore(column.reference, context)})`, tables: [] }
  const { scalar, list, json, wildcards: tables } = placeSql(column.place, context)
  const isWhole = list !== null || scalar.kind === 'opaque'
  const value = isWhole ? `NULLIF(${json}, 'null'::jsonb)` : travelling(scalar)
  const sql = column.kind === 'aggregate' ? aggregateText(column.aggregate, scalar) : value
  return { key, sql: () => sql, tables }
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
 * nxql-search.md §7).
 *
 * @throws badRequest as `compileNxql` does, and for what has no place in SELECT.
 */
export const compileRecords = (query: Query, scope: NxqlScope): RecordPlan => {
  const selection = selectionOf(query, scope.model)
  const { isOneRow, isDistinct } = selection
  let columns: ColumnSql[] = []
  const { context, from, conditions } = compileMatches(query, scope, (prepared) => {
    prepared.correlations.selecting(true)
    columns = selection.columns.map((column) => columnSql(column, prepared))
    prepared.correlations.selecting(false)
  })
  const tables = [...context.correlations.selected(), ...columns.flatMap((column) => column.tables)]
  const lists = outerLists(tables, query)
  const joins = tables.map(leftJoin).join('')
  const source = `FROM ${from}${joins} WHERE ${conditions.join(' AND ')}`
  const read = [...new Set(columns.map(({ sql }) => sql()))]
  const places = columns.map(({ sql }) => read.indexOf(sql()))
  const selected = read.map((sql, place) => `${sql} AS c${place}`).join(', ')
  const text = `SELECT ${isDistinct ? 'DISTINCT ' : ''}${selected} ${source}`
  const order = isOneRow ? [] : orderOf(query, selection, { context, tables, places })
  const sorted = order.length === 0 ? text : `${text} ORDER BY ${order.join(', ')}`
  const parameters = context.binder.values
  const nameOf = ({ alias }: Table): string =>
    columns.find(({ sql }) => sql().includes(`${alias}.`))?.key ?? 'a list'
  return {
    keys: columns.map(({ key }, position) => ({ key, column: `c${places[position]}` })),
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

/** A total order, so that pages fit together: by all columns where equal rows are listed once, else by what rows are made of. */
const orderOf = (
  { orderBy, select }: Query,
  { isDistinct, variables }: Selection,
  { context, tables, places }: { context: Context; tables: readonly Table[]; places: readonly number[] },
): string[] => {
  if (select.kind === 'items' && isDistinct) {
    const chosen = orderBy.map(({ reference, descending }) => {
      const position = select.items.findIndex(
        ({ operand }) =>
          operand.kind === 'reference' && operand.name === reference.name && operand.cast === reference.cast,
      )
      return `${(places[position] ?? 0) + 1}${descending ? ' DESC' : ''}`
    })
    return [...chosen, ...[...new Set(places)].map((place) => String(place + 1))]
  }
  return [...compileOrderBy(orderBy, context, variables), d.id, ...tables.map(({ rank }) => rank)]
}
