import type { QueryScope } from '../../../core/content/stores/index.js'
import { checkSelection, type Query } from '../../../core/model/nxql/index.js'
import { RECORD_COLUMNS } from '../rows/index.js'
import { compileWhere } from './conditions/where.js'
import { type Context, createContext } from './context.js'
import { compileLandmarked, type Landmarked } from './landmarked.js'
import { compileOrderBy, compileScore, reversed } from './order-by.js'
import { countRows, DEEP_OFFSET, type NxqlPage, ownPage, type Statement, withPage } from './page.js'
import { DOCUMENTS, d } from './places/names.js'
import { compileTypes } from './places/types.js'
import { compileReading, compileReadSecurity, type Reach } from './read-security.js'
import { selectivityOf } from './selectivity.js'

/** A compiled query, to be asked in three ways. */
export type NxqlPlan = {
  /** Undefined where the query sorts by nothing, by what is no text, or has a limit of its own. */
  landmarked(): Landmarked | undefined
  /** The documents' columns under the names of their records, in order; of those that are given, where any are. */
  rows(page?: NxqlPage, columns?: string): Statement
  /** The same with an offset from the last one backwards. */
  lastRows(page: Required<NxqlPage>): Statement
  /** The column `id`, in order. */
  ids(page?: NxqlPage): Statement
  /** One row with the column `count` (bigint). With `atMost`, counting stops there. */
  count(atMost?: number): Statement
}

/** @property reach absent: little, of scopes that nobody has gathered. */
export type NxqlScope = QueryScope & { reach?: Reach }

const NARROW: Reach = { isWide: false }

/**
 * The documents that match, as the part of a statement from FROM on, for what is selected of them.
 *
 * @param prepare is called before any condition is compiled, to say what of their elements the rows are made of.
 */
export const compileMatches = (
  query: Query,
  { model, principal, now, reading, reach = NARROW }: NxqlScope,
  prepare: (context: Context) => void = () => undefined,
): { context: Context; from: string; conditions: readonly string[] } => {
  const context = createContext(model, now)
  prepare(context)
  const conditions = [
    compileTypes(query.from, context),
    ...(query.where ? compileWhere(query.where, context) : []),
    ...compileReadSecurity(principal, {
      binder: context.binder,
      reach,
      selectivity: selectivityOf(query.where),
    }),
    ...compileReading(principal, reading, context.binder),
  ]
  return { context, from: `${DOCUMENTS} d`, conditions }
}

/** Whether a page is read by its ids: the columns of all before it would be computed, too. */
const isDeep = ({ limit, offset = 0 }: NxqlPage): boolean =>
  offset >= DEEP_OFFSET && limit !== undefined && limit <= DEEP_OFFSET

/**
 * Compiles a query to SQL over the `documents` table (aliased `d`), with the principal's read rights inside.
 * What the caller wrote stands in `parameters` alone, never in `text`.
 *
 * @throws badRequest for unknown types and properties, values of the wrong type, and what is not compiled yet.
 */
export const compileNxql = (query: Query, scope: NxqlScope): NxqlPlan => {
  const { context, from, conditions } = compileMatches(query, scope)
  for (const score of checkSelection(query, scope.model)) compileScore(score, context)
  const source = `FROM ${from} WHERE ${conditions.join(' AND ')}`
  // The id comes last: equal rows keep their order from page to page.
  const keys = [...compileOrderBy(query.orderBy, context), d.id]
  const order = keys.join(', ')
  const parameters = context.binder.values
  const ids = (page?: NxqlPage) =>
    withPage(`SELECT ${d.id} ${source} ORDER BY ${order}`, parameters, { ...ownPage(query), ...page })
  const byIds = (found: Statement, columns = RECORD_COLUMNS): Statement => ({
    ...found,
    text: `SELECT ${columns} FROM ${DOCUMENTS} d WHERE ${d.id} = ANY (ARRAY(${found.text})) ORDER BY ${order}`,
  })
  return {
    landmarked: () => {
      const isWhole = query.limit === null && query.skip === null && !query.select.distinct
      return isWhole ? compileLandmarked({ source, keys, parameters, byIds }) : undefined
    },
    rows: (asked, columns = RECORD_COLUMNS) => {
      const page = { ...ownPage(query), ...asked }
      if (isDeep(page)) return byIds(ids(page), columns)
      return withPage(`SELECT ${columns} ${source} ORDER BY ${order}`, parameters, page)
    },
    lastRows: (page) => {
      const backwards = reversed(keys).join(', ')
      return byIds(withPage(`SELECT ${d.id} ${source} ORDER BY ${backwards}`, parameters, page))
    },
    ids,
    count: (atMost) => {
      if (atMost === undefined) return { text: `SELECT count(*) AS count ${source}`, parameters }
      return countRows(`SELECT 1 ${source}`, parameters, atMost)
    },
  }
}

/** @throws badRequest as `compileNxql` does. */
export const checkNxql = (query: Query, scope: QueryScope): void => {
  compileNxql(query, scope)
}
