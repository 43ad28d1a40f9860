import type { RequestContext } from '../edge/index.js'
import { documentsEntity, pagingParameters } from '../rest/index.js'

const DEFAULT_PAGE_SIZE = 50
const MAX_PAGE_SIZE = 1000

/** A page of a list that is no query: `pageSize` entries, 50 when absent (rest-documents.md §10). */
export type ListRange = { pageSize: number; pageIndex: number; limit: number; offset: number }

/**
 * The page that a request selects.
 *
 * @throws badRequest naming the parameter.
 */
export const listRange = (c: RequestContext): ListRange => {
  const { pageSize: asked, currentPageIndex, offset: from } = pagingParameters(c)
  const pageSize = Math.min(asked || DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE)
  const offset = from || (currentPageIndex ?? 0) * pageSize
  return { pageSize, pageIndex: Math.floor(offset / pageSize), limit: pageSize, offset }
}

/** A page of entities with all paging fields, as `documents` have them. */
export const listEntity = <Entry>(
  type: string,
  { pageSize, pageIndex, offset }: ListRange,
  { entries, total }: { entries: readonly Entry[]; total: number },
) => ({
  ...documentsEntity(
    { resultsCount: total, pageSize, maxPageSize: MAX_PAGE_SIZE, pageIndex, offset },
    entries,
  ),
  'entity-type': type,
})
