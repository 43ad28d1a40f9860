import type { DocumentPage } from '../../core/documents/index.js'
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
  maxResults: integerParameter(c, 'maxResults'),
})

const nonNegative = (name: string, value: number | undefined): number | undefined => {
  if (value !== undefined && value < 0) throw fail('badRequest', `${name}: ${value} is negative`)
  return value
}

/**
 * A page of which no more than `maxResults` are told of; absent, 0 or negative means no limit
 * (rest-documents.md §9).
 */
export const limitedPage = (page: DocumentPage, maxResults: number | undefined): DocumentPage => {
  if (maxResults === undefined || maxResults <= 0 || page.resultsCount <= maxResults) return page
  return {
    ...page,
    resultsCount: maxResults,
    entries: page.entries.slice(0, Math.max(0, maxResults - page.offset)),
  }
}

export const splitCommas = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
