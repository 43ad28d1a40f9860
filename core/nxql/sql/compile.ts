import type { ContentModel } from '../../content-model/index.js'
import type { Principal } from '../../security/index.js'
import type { Query, Select } from '../ast.js'
import { createBinder, type Parameter } from './binder.js'
import { createBudget } from './budget.js'
import type { Context } from './context.js'
import { createCorrelations } from './correlation.js'
import { compileOrderBy } from './order-by.js'
import { compileReadSecurity } from './security.js'
import { compileTypes } from './types.js'
import { notSupportedYet } from './unsupported.js'
import { compileWhere } from './where.js'

/** A statement for Postgres: the values of `$1`, `$2`, … beside the text. */
export type Statement = { text: string; parameters: readonly Parameter[] }

/** Without a limit or offset, those of the query hold, if it has any. */
export type NxqlPage = { limit?: number; offset?: number }

/** A compiled query, to be asked in three ways. */
export type NxqlPlan = {
  /** All columns of `documents`, in order. */
  rows(page?: NxqlPage): Statement
  /** The column `id`, in order. */
  ids(page?: NxqlPage): Statement
  /** One row with the column `count` (bigint). With `atMost`, counting stops there. */
  count(atMost?: number): Statement
}

/** Beyond, equality is tested without the index: such a query would not be faster by it. */
const MAX_CONTAINMENTS = 100
const MAX_ANCESTORS = 100

const checkSelect = (select: Select): void => {
  if (select.distinct) throw notSupportedYet('operator DISTINCT', select.offset)
  if (select.kind === 'all') return
  for (const { operand, source } of select.items) {
    const isId = operand.kind === 'reference' && operand.name === 'ecm:uuid' && operand.cast === null
    if (isId) continue
    const what = operand.kind === 'function' ? `aggregate ${operand.name}` : `SELECT ${source}`
    throw notSupportedYet(what, operand.offset)
  }
}

const createContext = (model: ContentModel, now: Date): Context => {
  let aliases = 0
  const alias = () => {
    aliases += 1
    return `e${aliases}`
  }
  return {
    model,
    now,
    binder: createBinder(),
    alias,
    correlations: createCorrelations(alias),
    containments: createBudget(MAX_CONTAINMENTS),
    ancestors: createBudget(MAX_ANCESTORS),
  }
}

const withPage = (text: string, parameters: readonly Parameter[], { limit, offset }: NxqlPage): Statement => {
  const values = [...parameters]
  const clauses = [text]
  for (const [clause, value] of [
    ['LIMIT', limit],
    ['OFFSET', offset],
  ] as const) {
    if (value === undefined) continue
    values.push(value)
    clauses.push(`${clause} $${values.length}::bigint`)
  }
  return { text: clauses.join(' '), parameters: values }
}

/** Who asks, of which model, and when. */
export type NxqlScope = { model: ContentModel; principal: Principal; now: Date }

/** The documents that match, as the part of a statement from FROM on, for what is selected of them. */
export const compileMatches = (
  query: Query,
  { model, principal, now }: NxqlScope,
): { context: Context; from: string; conditions: readonly string[] } => {
  const context = createContext(model, now)
  const conditions = [
    compileTypes(query.from, context),
    ...(query.where ? compileWhere(query.where, context) : []),
    ...compileReadSecurity(principal, context.binder),
  ]
  return { context, from: 'documents d', conditions }
}

/**
 * Compiles a query to SQL over the `documents` table (aliased `d`), with the principal's read rights inside.
 * What the caller wrote stands in `parameters` alone, never in `text`.
 *
 * @throws badRequest for unknown types and properties, values of the wrong type, and what is not compiled yet.
 */
export const compileNxql = (query: Query, scope: NxqlScope): NxqlPlan => {
  checkSelect(query.select)
  const { context, from, conditions } = compileMatches(query, scope)
  const source = `FROM ${from} WHERE ${conditions.join(' AND ')}`
  const order = compileOrderBy(query.orderBy, context)
  const parameters = context.binder.values
  const ownPage: NxqlPage = {
    ...(query.limit !== null && { limit: query.limit }),
    ...(query.skip !== null && { offset: query.skip }),
  }
  const paged = (columns: string) => (page?: NxqlPage) =>
    withPage(`SELECT ${columns} ${source} ORDER BY ${order}`, parameters, { ...ownPage, ...page })
  return {
    rows: paged('d.*'),
    ids: paged('d.id'),
    count: (atMost) => {
      if (atMost === undefined) return { text: `SELECT count(*) AS count ${source}`, parameters }
      const { text, parameters: values } = withPage(`SELECT 1 ${source}`, parameters, { limit: atMost })
      return { text: `SELECT count(*) AS count FROM (${text}) AS counted`, parameters: values }
    },
  }
}
