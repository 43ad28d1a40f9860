import { z } from 'zod'
import { component } from './route-doc.js'

/** Fields of a page, legacy twins included. */
export const pagingFields = {
  isPaginable: z.boolean(),
  resultsCount: z.int().describe('-1: not counted, -2: more than are counted'),
  pageSize: z.int(),
  maxPageSize: z.int(),
  resultsCountLimit: z.int(),
  currentPageSize: z.int(),
  currentPageIndex: z.int(),
  currentPageOffset: z.int(),
  numberOfPages: z.int(),
  isPreviousPageAvailable: z.boolean(),
  isNextPageAvailable: z.boolean(),
  isLastPageAvailable: z.boolean(),
  isSortable: z.boolean(),
  hasError: z.boolean(),
  errorMessage: z.string().nullable(),
  totalSize: z.int(),
  pageIndex: z.int(),
  pageCount: z.int(),
}

/** A page of entities of one kind. */
export const pageOf = (type: string, entry: z.ZodType, what = type) =>
  component(
    type,
    z.object({ 'entity-type': z.literal(type), ...pagingFields, entries: z.array(entry) }),
    `A page of ${what}`,
  )
