import { fail } from '../../core/errors/index.js'
import type { RequestContext } from '../environment.js'

const INTEGER = /^[+-]?\d{1,15}$/

/**
 * A whole number among the query parameters; blank means absent.
 *
 * @throws badRequest naming the parameter.
 */
export const integerParameter = (c: RequestContext, name: string): number | undefined => {
  const text = c.req.query(name)?.trim()
  if (text === undefined || text === '') return undefined
  if (!INTEGER.test(text)) throw fail('badRequest', `${name}: '${text}' is not a whole number`)
  return Number(text)
}

/** The query parameters that page a list (rest-documents.md §7). */
export const pagingParameters = (c: RequestContext) => ({
  pageSize: nonNegative('pageSize', integerParameter(c, 'pageSize')),
  currentPageIndex: nonNegative('currentPageIndex', integerParameter(c, 'currentPageIndex')),
  offset: nonNegative('offset', integerParameter(c, 'offset')),
  /** Results to count at most; 0 and less mean no limit (nxql-search.md §1.1). */
  maxResults: positive(integerParameter(c, 'maxResults')),
})

const nonNegative = (name: string, value: number | undefined): number | undefined => {
  if (value !== undefined && value < 0) throw fail('badRequest', `${name}: ${value} is negative`)
  return value
}

const positive = (value: number | undefined): number | undefined =>
  value !== undefined && value > 0 ? value : undefined

export const splitCommas = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
