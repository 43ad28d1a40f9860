import { fail } from '../../platform/errors/index.js'
import type { Query } from './ast.js'
import { parseOrder } from './compose.js'

/** What a list is sorted by, the first first. */
export type Sort = readonly { field: string; isAscending: boolean }[]

/** What may follow ORDER BY: a property or `ecm:` name, nothing that could leave the clause. */
const SORTABLE = /^[A-Za-z][\w-]*(?::[\w-]+)?(?:[/.][\w*-]+)*$/

export const isSortable = (field: string): boolean => SORTABLE.test(field)

/** The parts of a text between commas, without the blanks around them: how lists to sort by are written. */
export const splitCommas = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/**
 * Properties and orders as requests give them, paired by position: an order that is missing, or anything but `asc`
 * in any case, is descending (nxql-search.md §1.1). Undefined when there is nothing to sort by.
 */
export const pairedSort = (sortBy: readonly string[], sortOrder: readonly string[]): Sort | undefined =>
  sortBy.length === 0
    ? undefined
    : sortBy.map((field, position) => ({
        field,
        isAscending: sortOrder[position]?.toLowerCase() === 'asc',
      }))

/**
 * A query in the caller's order instead of its own; without a sort it is left as it is.
 *
 * @throws badRequest naming what is no property.
 */
export const sorted = (query: Query, sort: Sort | undefined): Query => {
  if (sort === undefined || sort.length === 0) return query
  const columns = sort.map(({ field, isAscending }) => {
    if (!isSortable(field)) throw fail('badRequest', `sortBy: '${field}' is not the name of a property`)
    return `${field} ${isAscending ? 'ASC' : 'DESC'}`
  })
  return { ...query, orderBy: parseOrder(columns.join(', ')) }
}
