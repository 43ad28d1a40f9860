import type { estypes } from '@elastic/elasticsearch'
import type { CountedPage, QueryRecord, Results } from '../../../../core/content/stores/index.js'
import type { Query, Selection } from '../../../../core/model/nxql/index.js'
import type { Clause } from '../clauses.js'
import { compileMatches, type IndexScope, incompleteClause } from '../compile.js'
import type { Context } from '../context.js'
import { notAnswerable } from '../not-answerable.js'
import { distinctSources } from './distinct.js'
import { computed, type Found } from './one-row.js'
import { rowValue } from './values.js'

type Aggregations = { [name: string]: estypes.AggregationsAggregationContainer }

/** A composite bucket's key, by the names of its sources. */
type Key = { [name: string]: string | number | boolean | null }

export type RowsAnswer = { total: number; aggregations: { [name: string]: unknown } }

/** Rows that the engine computes, as parts of a search body, and how its answer is read. */
export type RowsPlan = {
  query: Clause
  aggregations: Aggregations
  /** Whether the number of all matches is part of a row. */
  isCounted: boolean
  incomplete: Clause | undefined
  /** @throws NotAnswerable where the answer has not all digits, or not all rows. */
  read(answer: RowsAnswer): Results<QueryRecord>
}

type Compiled = Pick<RowsPlan, 'aggregations' | 'isCounted' | 'read'>

/** Different rows of one search. */
const MAX_ROWS = 10_000

const oneRow = ({ columns }: Selection, page: CountedPage, context: Context): Compiled => {
  const parts = columns.map((column, position) => ({
    key: column.key,
    name: `c${position}`,
    ...computed(column, context),
  }))
  const named = parts.flatMap(({ name, aggregation }) => (aggregation ? [[name, aggregation] as const] : []))
  return {
    aggregations: Object.fromEntries(named),
    isCounted: named.length < parts.length,
    read: ({ total, aggregations }) => {
      const values = parts.map(({ key, name, read }) => [
        key,
        read((aggregations[name] ?? {}) as Found, total),
      ])
      return { entries: [Object.fromEntries(values)].slice(0, page.limit), total: 1 }
    },
  }
}

const distinctRows = (
  query: Query,
  selection: Selection,
  { page, context }: { page: CountedPage; context: Context },
): Compiled => {
  const { columns, sources } = distinctSources(query, selection.columns, context)
  const { limit, offset, countAtMost } = page
  const atMost = countAtMost === undefined ? MAX_ROWS : countAtMost + 1
  const size = Math.min(MAX_ROWS, Math.max(offset + limit, atMost))
  return {
    aggregations: { rows: { composite: { size, sources } } },
    isCounted: false,
    read: ({ aggregations }) => {
      const { buckets = [] } = (aggregations.rows ?? {}) as { buckets?: { key: Key }[] }
      if (buckets.length >= MAX_ROWS) throw notAnswerable(`there are more than ${MAX_ROWS} different rows`)
      const rowOf = ({ key }: { key: Key }): QueryRecord =>
        Object.fromEntries(columns.map(({ key: as, place, name }) => [as, rowValue(place.type, key[name])]))
      const entries = buckets.slice(offset, offset + limit).map(rowOf)
      const isComplete = entries.length < limit && (entries.length > 0 || offset === 0)
      return { entries, total: isComplete ? buckets.length : Math.min(buckets.length, atMost) }
    },
  }
}

/**
 * Compiles a query for rows that are computed from many documents: one of aggregates, or different ones.
 *
 * @throws NotAnswerable where the index computes otherwise than the repository; badRequest as that does.
 */
export const compileRows = (
  query: Query,
  selection: Selection,
  { scope, page }: { scope: IndexScope; page: CountedPage },
): RowsPlan => {
  const { context, matches } = compileMatches(query, scope)
  if (!selection.isOneRow && !selection.isDistinct) throw notAnswerable('each element of a list is a row')
  const compiled = selection.isOneRow
    ? oneRow(selection, page, context)
    : distinctRows(query, selection, { page, context })
  return { query: matches, ...compiled, incomplete: incompleteClause(context.complete) }
}
