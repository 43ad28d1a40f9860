import type { RecordPage } from '../../../../core/content/documents/index.js'
import { documentsEntity } from '../../../rest/index.js'

/** Paging fields of documents that rows do not have (nxql-search.md §7). */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'resultsCountLimit',
  'currentPageOffset',
  'totalSize',
  'pageIndex',
  'pageCount',
])

/** Rows of a query as the entity `recordSet`. */
export const recordSetEntity = (page: RecordPage): object => ({
  ...Object.fromEntries(
    Object.entries(documentsEntity(page, page.entries)).filter(([field]) => !LEFT_OUT.has(field)),
  ),
  'entity-type': 'recordSet',
})
