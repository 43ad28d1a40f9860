import type { RequestContext } from '../../edge/index.js'
import { parseQuery } from '../../parse/index.js'
import { pagingQuery } from './requests.schema.js'

/**
 * The query parameters that page a list (rest-documents.md §7); blank means absent.
 *
 * @throws badRequest naming the parameter.
 */
export const pagingParameters = (c: RequestContext) => {
  const { pageSize, maxResults, ...paging } = parseQuery(c, pagingQuery)
  return {
    ...paging,
    /** A negative size means the default (nxql-search.md §1.1). */
    pageSize: pageSize !== undefined && pageSize >= 0 ? pageSize : undefined,
    /** Results to count at most; 0 and less mean no limit (nxql-search.md §1.1). */
    maxResults: maxResults !== undefined && maxResults > 0 ? maxResults : undefined,
  }
}
