import { compileNxql, parseNxql, type Query } from '../nxql/index.js'
import type { Session } from './session.js'
import type { DocumentRecord } from './types.js'

/** Largest page of any query unless configured otherwise (nxql-search.md §1.2). */
export const MAX_PAGE_SIZE = 1_000

/** A page of documents with what the paging fields of a `documents` entity tell (rest-documents.md §2). */
export type DocumentPage = {
  entries: DocumentRecord[]
  /** As asked for; 0 means up to `maxPageSize`. */
  pageSize: number
  maxPageSize: number
  /** 0-based. */
  pageIndex: number
  offset: number
  /** All that match; `MORE_THAN_COUNTED` when there are more than were to be counted. */
  resultsCount: number
}

/** There are more results than `maxResults`, and nobody knows how many (nxql-search.md §1.2). */
export const MORE_THAN_COUNTED = -2

export type Paging = {
  pageSize?: number | undefined
  currentPageIndex?: number | undefined
  offset?: number | undefined
  /** Largest page; 0 for none. */
  maxPageSize?: number | undefined
  /** Results to count at most. */
  maxResults?: number | undefined
}

/**
 * Runs an NXQL query with the principal's read rights inside the statement.
 *
 * @param nxql as text, or parsed already.
 * @throws badRequest for a query that does not parse, names what is unknown, or uses what is not compiled.
 */
export const queryDocuments = async (
  session: Session,
  nxql: string | Query,
  { pageSize: wanted = 0, maxPageSize = MAX_PAGE_SIZE, maxResults, ...paging }: Paging = {},
): Promise<DocumentPage> => {
  const plan = compileNxql(typeof nxql === 'string' ? parseNxql(nxql) : nxql, session)
  const pageSize = Math.max(0, wanted)
  const largest = maxPageSize === 0 ? Number.MAX_SAFE_INTEGER : maxPageSize
  const limit = pageSize === 0 ? largest : Math.min(pageSize, largest)
  const offset = paging.offset ?? Math.max(0, paging.currentPageIndex ?? 0) * limit
  const entries = await session.store.query(plan, { limit, offset })
  const isComplete = entries.length < limit && (entries.length > 0 || offset === 0)
  const count = isComplete ? offset + entries.length : await session.store.count(plan, maxResults)
  return {
    entries,
    pageSize,
    maxPageSize,
    pageIndex: Math.floor(offset / limit),
    offset,
    resultsCount: maxResults !== undefined && count > maxResults ? MORE_THAN_COUNTED : count,
  }
}

/** Ids of everything that matches, in order: what a loop walks. */
export const queryIds = async (session: Session, nxql: string, limit: number): Promise<string[]> =>
  session.store.queryIds(compileNxql(parseNxql(nxql), session), limit)
