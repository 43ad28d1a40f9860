import { compileNxql, parseNxql } from '../nxql/index.js'
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
  resultsCount: number
}

export type Paging = {
  pageSize?: number | undefined
  currentPageIndex?: number | undefined
  offset?: number | undefined
}

/**
 * Runs an NXQL query with the principal's read rights inside the statement.
 *
 * @throws badRequest for a query that does not parse, names what is unknown, or uses what is not compiled.
 */
export const queryDocuments = async (
  session: Session,
  nxql: string,
  paging: Paging = {},
): Promise<DocumentPage> => {
  const plan = compileNxql(parseNxql(nxql), session)
  const pageSize = Math.max(0, paging.pageSize ?? 0)
  const limit = pageSize === 0 ? MAX_PAGE_SIZE : Math.min(pageSize, MAX_PAGE_SIZE)
  const offset = paging.offset ?? Math.max(0, paging.currentPageIndex ?? 0) * limit
  const entries = await session.store.query(plan, { limit, offset })
  const isComplete = entries.length < limit && (entries.length > 0 || offset === 0)
  const resultsCount = isComplete ? offset + entries.length : await session.store.count(plan)
  return {
    entries,
    pageSize,
    maxPageSize: MAX_PAGE_SIZE,
    pageIndex: Math.floor(offset / limit),
    offset,
    resultsCount,
  }
}

/** Ids of everything that matches, in order: what a loop walks. */
export const queryIds = async (session: Session, nxql: string, limit: number): Promise<string[]> =>
  session.store.queryIds(compileNxql(parseNxql(nxql), session), limit)
