import type { RequestContext } from '../environment.js'
import { parseQuery } from '../parse/index.js'
import { pagingQuery } from './requests.schema.js'

/**
 * The query parameters that page a list (rest-documents.md §7); blank means absent.
 *
 * @throws badRequest naming the parameter.
 */
export const pagingParameters = (c: RequestContext) => {
  const { maxResults, ...paging } = parseQuery(c, pagingQuery)
  /** Results to count at most; 0 and less mean no limit (nxql-search.md §1.1). */
  return { ...paging, maxResults: maxResults !== undefined && maxResults > 0 ? maxResults : undefined }
}
