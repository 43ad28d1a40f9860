import { fail } from '../../core/errors/index.js'
import type { RequestContext } from '../environment.js'
import { splitCommas } from './parameters.js'

/** What may follow ORDER BY: a property or `ecm:` name, nothing that could leave the clause. */
const FIELD = /^[A-Za-z][\w-]*(?::[\w-]+)?(?:\/[\w*-]+)*$/

export const isSortable = (field: string): boolean => FIELD.test(field)

/** A query without the order at its end, for another to take its place. */
export const withoutOrder = (query: string): string => query.replace(/\sORDER\s+BY\s+[\w:/*.,\s-]+$/i, '')

export type Sort = readonly { field: string; isAscending: boolean }[]

/**
 * `sortBy` with `sortOrder` aligned to it: missing, or anything but `asc`, sorts descending
 * (rest-documents.md §9). Undefined when nothing is to be sorted by.
 */
export const sortParameters = (c: RequestContext): Sort | undefined => {
  const fields = splitCommas((c.req.queries('sortBy') ?? []).join(','))
  if (fields.length === 0) return undefined
  const orders = splitCommas((c.req.queries('sortOrder') ?? []).join(','))
  return fields.map((field, position) => {
    if (!isSortable(field)) throw fail('badRequest', `sortBy: '${field}' is not the name of a property`)
    return { field, isAscending: orders[position]?.toLowerCase() === 'asc' }
  })
}

export const orderBy = (sort: Sort): string =>
  `ORDER BY ${sort.map(({ field, isAscending }) => `${field} ${isAscending ? 'ASC' : 'DESC'}`).join(', ')}`
