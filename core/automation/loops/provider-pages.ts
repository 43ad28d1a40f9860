import { fail } from '../../platform/errors/index.js'
import type { Value } from '../language/index.js'

type List = Extract<Value, { type: 'documents' }>

/** A page of a query or page provider: it knows by which call it was given. */
export type ListPage = List & Required<Pick<List, 'page' | 'source'>>

/** A page, and the number under which it was read. */
export type PageAt = { page: List; index: number }

/** More is a target that creates what it iterates over. */
const MAX_PAGES = 100_000

export const isListPage = (value: Value): value is ListPage =>
  value.type === 'documents' && value.source !== undefined && value.page !== undefined

/** The page that an iteration begins with. */
export const firstPageOf = (page: ListPage): PageAt => ({ page, index: page.page.pageIndex })

const isSame = (one: List, other: List): boolean =>
  one.ids.length === other.ids.length && one.ids.every((id, position) => id === other.ids[position])

/**
 * The page after another one; without documents after the last. A page whose documents have
 * changed the list, e.g. by leaving it, is read again instead of the next one, which by then begins further on.
 *
 * @param pagesRead pages that are read, this one included.
 * @param read a page of the same list.
 * @throws operationFailed for an iteration that does not end.
 */
export const nextPage = async (
  { page, index }: PageAt,
  { pagesRead, read }: { pagesRead: number; read(index: number): Promise<List> },
): Promise<PageAt> => {
  if (pagesRead >= MAX_PAGES) throw fail('operationFailed', `More than ${MAX_PAGES} pages were read`)
  const again = await read(index)
  const isOther = again.page?.resultsCount !== page.page?.resultsCount && !isSame(again, page)
  return isOther ? { page: again, index } : { page: await read(index + 1), index: index + 1 }
}

/** The call that reads a page of the list that a page is of. */
export const callOfPage = ({ source }: ListPage, index: number) => ({
  id: source.operation,
  input: { type: 'void' } as const,
  isolate: true,
  parameters: { ...source.parameters, currentPageIndex: index },
})

/** What such a call has answered. */
export const readPage = (answer: Value): List =>
  answer.type === 'documents' ? answer : { type: 'documents', ids: [] }
