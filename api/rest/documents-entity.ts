import type { DocumentPage } from '../../core/documents/index.js'
import type { DocumentEntity } from './document-entity.js'

export type DocumentsEntity = { 'entity-type': 'documents'; entries: readonly DocumentEntity[] }

/** A list that is not paged: no more than its entries (rest-documents.md §2). */
export const plainDocumentsEntity = (entries: readonly DocumentEntity[]): DocumentsEntity => ({
  'entity-type': 'documents',
  entries,
})

/** A page with all paging fields, in the order of rest-documents.md §2, legacy twins included. */
export const documentsEntity = <Entry>(
  page: Omit<DocumentPage, 'entries'>,
  entries: readonly Entry[],
): Omit<DocumentsEntity, 'entries'> & { entries: readonly Entry[] } => {
  const size = page.pageSize === 0 ? page.maxPageSize : Math.min(page.pageSize, page.maxPageSize)
  const numberOfPages = Math.ceil(page.resultsCount / size)
  const isNextPageAvailable = page.offset + entries.length < page.resultsCount && entries.length > 0
  return {
    'entity-type': 'documents',
    ...{
      isPaginable: true,
      resultsCount: page.resultsCount,
      pageSize: page.pageSize,
      maxPageSize: page.maxPageSize,
      resultsCountLimit: 0,
      currentPageSize: entries.length,
      currentPageIndex: page.pageIndex,
      currentPageOffset: page.offset,
      numberOfPages,
      isPreviousPageAvailable: page.offset > 0,
      isNextPageAvailable,
      isLastPageAvailable: isNextPageAvailable,
      isSortable: true,
      hasError: false,
      errorMessage: null,
      totalSize: page.resultsCount,
      pageIndex: page.pageIndex,
      pageCount: numberOfPages,
    },
    entries,
  }
}
