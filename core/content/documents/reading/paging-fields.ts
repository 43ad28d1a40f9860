import { type DocumentPage, MORE_THAN_COUNTED } from './query.js'

const pagesOf = (resultsCount: number, { pageSize, size }: { pageSize: number; size: number }): number => {
  if (resultsCount === MORE_THAN_COUNTED) return 0
  return pageSize === 0 || resultsCount === 0 ? 1 : Math.ceil(resultsCount / size)
}

/**
 * The paging fields of an entity, in the order of rest-documents.md §2, legacy twins included. When it is not known
 * how many results there are, a full page is assumed to have a next one (nxql-search.md §1.2).
 *
 * @param shown how many entries the page has.
 */
export const pagingFields = (
  { resultsCount, pageSize, maxPageSize, pageIndex, offset }: Omit<DocumentPage, 'entries'>,
  { shown, isSortable }: { shown: number; isSortable: boolean },
) => {
  const largest = maxPageSize === 0 ? Number.POSITIVE_INFINITY : maxPageSize
  const size = pageSize === 0 ? largest : Math.min(pageSize, largest)
  const numberOfPages = pagesOf(resultsCount, { pageSize, size })
  const isCounted = resultsCount !== MORE_THAN_COUNTED
  const isNextPageAvailable = isCounted ? offset + shown < resultsCount && shown > 0 : shown === size
  return {
    isPaginable: true,
    resultsCount,
    pageSize,
    maxPageSize,
    resultsCountLimit: 0,
    currentPageSize: shown,
    currentPageIndex: pageIndex,
    currentPageOffset: offset,
    numberOfPages,
    isPreviousPageAvailable: offset > 0,
    isNextPageAvailable,
    isLastPageAvailable: isCounted && isNextPageAvailable,
    isSortable,
    hasError: false,
    errorMessage: null,
    totalSize: resultsCount,
    pageIndex,
    pageCount: numberOfPages,
  }
}
