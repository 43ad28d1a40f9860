import type { RequestContext } from '../environment.js'
import { parseQuery } from '../parse/index.js'
import { sortQuery } from './requests.schema.js'

/** A query without the order at its end, for another to take its place. */
export const withoutOrder = (query: string): string => query.replace(/\sORDER\s+BY\s+[\w:/*.,\s-]+$/i, '')

export type Sort = readonly { field: string; isAscending: boolean }[]

/**
 * `sortBy` with `sortOrder` aligned to it: missing, or anything but `asc`, sorts descending
 * (rest-documents.md §9). Undefined when nothing is to be sorted by.
 *
 * @throws badRequest when something to sort by is no name of a property.
 */
export const sortParameters = (c: RequestContext): Sort | undefined => {
  const { sortBy, sortOrder } = parseQuery(c, sortQuery)
  if (sortBy.length === 0) return undefined
  return sortBy.map((field, position) => ({
    field,
    isAscending: sortOrder[position]?.toLowerCase() === 'asc',
  }))
}

export const orderBy = (sort: Sort): string =>
  `ORDER BY ${sort.map(({ field, isAscending }) => `${field} ${isAscending ? 'ASC' : 'DESC'}`).join(', ')}`
