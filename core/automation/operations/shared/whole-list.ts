import { MAX_PAGE_SIZE } from '../../../content/documents/index.js'
import type { DocumentRecord } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import { documentValue, type Value } from '../../language/index.js'

/** A list that flows on as a whole, while an answer over HTTP shows its first page with the paging fields. */
export const everything = (documents: readonly DocumentRecord[]): Value => ({
  type: 'documents',
  ids: documents.map(({ id }) => id),
  ...(documents.length <= MAX_PAGE_SIZE && { records: documents }),
  page: {
    entries: documents.slice(0, MAX_PAGE_SIZE),
    pageSize: 0,
    maxPageSize: MAX_PAGE_SIZE,
    pageIndex: 0,
    offset: 0,
    resultsCount: documents.length,
  },
})

/** Of functions that take lists, the answer for one document. */
export const documentOnly = (documents: readonly DocumentRecord[]): Value => {
  const [document] = documents
  if (!document) throw fail('internal', 'A document was lost on the way')
  return documentValue(document)
}
