import { fail } from '../errors/index.js'
import { parseOrder, type Query } from '../nxql/index.js'

/** What a page is sorted by, the first first. */
export type Sort = readonly { field: string; isAscending: boolean }[]

/** What may follow ORDER BY: a property or `ecm:` name, nothing that could leave the clause. */
export const FIELD_NAME = /^[A-Za-z][\w-]*(?::[\w-]+)?(?:[/.][\w*-]+)*$/

/**
 * The order as a part of a parsed query.
 *
 * @throws badRequest naming what is no property.
 */
export const orderItems = (sort: Sort): Query['orderBy'] => {
  if (sort.length === 0) return []
  for (const { field } of sort) {
    if (!FIELD_NAME.test(field)) throw fail('badRequest', `sortBy: '${field}' is not the name of a property`)
  }
  const columns = sort.map(({ field, isAscending }) => `${field} ${isAscending ? 'ASC' : 'DESC'}`)
  return parseOrder(columns.join(', '))
}
