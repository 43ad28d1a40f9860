import { type DocumentPage, MORE_THAN_COUNTED } from '../../../core/content/documents/index.js'
import type { DocumentEntity } from './document-entity.js'

export type DocumentsEntity = { 'entity-type': 'documents'; entries: readonly DocumentEntity[] }

/** A list without paging fields (rest-documents.md §2). */
export const plainDocumentsEntity = (entries: readonly DocumentEntity[]): DocumentsEntity => ({
  'entity-type': 'documents',
  entries,
})

/** Further fields of a page; undefined ones are omitted. */
export type PageExtras = {
  isSortable?: boolean
  aggregations?: object | undefined
  quickFilters?: readonly { name: string; active: boolean }[] | undefined
}

const pagesOf = (resultsCount: number, { pageSize, size }: { pageSize: number; size: number }): number => {
  if (resultsCount === MORE_THAN_COUNTED) return 0
  return pageSize === 0 || resultsCount === 0 ? 1 : Math.ceil(resultsCount / size)
}

/**
 * A page with all paging fields, in the order of rest-documents.md §2, legacy twins included. When it is not
 * known how many results there are, a full page is assumed to have a next one (nxql-search.md §1.2).
 */
export const documentsEntity = <Entry>(
  page: Omit<DocumentPage, 'entries'>,
  entries: readonly Entry[],
  { isSortable = true, aggregations, quickFilters }: PageExtras = {},
): Omit<DocumentsEntity, 'entries'> & { entries: readonly Entry[] } => {
  const { resultsCount, pageSize, maxPageSize } = page
  const largest = maxPageSize === 0 ? Number.POSITIVE_INFINITY : maxPageSize
  const size = pageSize === 0 ? largest : Math.min(pageSize, largest)
  const numberOfPages = pagesOf(resultsCount, { pageSize, size })
  const isCounted = resultsCount !== MORE_THAN_COUNTED
  const isNextPageAvailable = isCounted
    ? page.offset + entries.length < resultsCount && entries.length > 0
    : entries.length === size
  return {
    'entity-type': 'documents',
    ...{
      isPaginable: true,
      resultsCount,
      pageSize,
      maxPageSize,
      resultsCountLimit: 0,
      currentPageSize: entries.length,
      currentPageIndex: page.pageIndex,
      currentPageOffset: page.offset,
      numberOfPages,
      isPreviousPageAvailable: page.offset > 0,
      isNextPageAvailable,
      isLastPageAvailable: isCounted && isNextPageAvailable,
      isSortable,
      hasError: false,
      errorMessage: null,
      totalSize: resultsCount,
      pageIndex: page.pageIndex,
      pageCount: numberOfPages,
      ...(aggregations && { aggregations }),
      ...(quickFilters && { quickFilters }),
    },
    entries,
  }
}
