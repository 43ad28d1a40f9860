import type { RequestContext } from '../../edge/index.js'
import { parseQuery } from '../../parse/index.js'
import { pagingQuery } from './requests.schema.js'

const countedAtMost = (asked: number | undefined, limit: number | undefined): number | undefined => {
  if (asked === undefined) return limit
  return asked > 0 ? asked : undefined
}

/**
 * The query parameters that page a list (rest-documents.md §7); blank means absent.
 *
 * @param countLimit results to count where the request does not say how many; absent: all.
 * @throws badRequest naming the parameter.
 */
export const pagingParameters = (c: RequestContext, countLimit?: number) => {
  const { pageSize, maxResults, ...paging } = parseQuery(c, pagingQuery)
  return {
    ...paging,
    /** A negative size means the default (nxql-search.md §1.1). */
    pageSize: pageSize !== undefined && pageSize >= 0 ? pageSize : undefined,
    /** Results to count at most; 0 and less mean no limit (nxql-search.md §1.1). */
    maxResults: countedAtMost(maxResults, countLimit),
  }
}
