import {
  compileNxql,
  compileRecords,
  fewOf,
  type NxqlScope,
  parseNxql,
  type Query,
  type RecordPlan,
} from '../../../model/nxql/index.js'
import type { DocumentRecord, PropertyValue } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import type { Session } from '../session.js'
import type { Page } from '../store.js'

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

/** The part of a list that is asked for. */
const windowOf = ({ pageSize: wanted = 0, maxPageSize = MAX_PAGE_SIZE, ...paging }: Paging) => {
  const pageSize = Math.max(0, wanted)
  const largest = maxPageSize === 0 ? Number.MAX_SAFE_INTEGER : maxPageSize
  const limit = pageSize === 0 ? largest : Math.min(pageSize, largest)
  const offset = paging.offset ?? Math.max(0, paging.currentPageIndex ?? 0) * limit
  return { pageSize, maxPageSize, limit, offset }
}

/** Reads a page; results are counted only where the page itself does not tell how many there are. */
const readPage = async <Entry>(
  paging: Paging,
  read: (page: Page) => Promise<Entry[]>,
  countAll: (atMost: number | undefined) => Promise<number>,
): Promise<Omit<DocumentPage, 'entries'> & { entries: Entry[] }> => {
  const { pageSize, maxPageSize, limit, offset } = windowOf(paging)
  const { maxResults } = paging
  const entries = await read({ limit, offset })
  const isComplete = entries.length < limit && (entries.length > 0 || offset === 0)
  const count = isComplete ? offset + entries.length : await countAll(maxResults)
  return {
    entries,
    pageSize,
    maxPageSize,
    pageIndex: Math.floor(offset / limit),
    offset,
    resultsCount: maxResults !== undefined && count > maxResults ? MORE_THAN_COUNTED : count,
  }
}

const parsed = (nxql: string | Query): Query => (typeof nxql === 'string' ? parseNxql(nxql) : nxql)

/** What a query of a session is compiled for. */
export const queryScope = async (session: Session, { where }: Query): Promise<NxqlScope> => {
  const { model, principal, permissions, now, store } = session
  const scope = { model, principal, permissions, now }
  return fewOf(where) ? scope : { ...scope, reach: await store.reach() }
}

/**
 * Runs an NXQL query with the principal's read rights inside the statement.
 *
 * @param nxql as text, or parsed already.
 * @throws badRequest for a query that does not parse, names what is unknown, or asks what has no meaning.
 */
export const queryDocuments = async (
  session: Session,
  nxql: string | Query,
  paging: Paging = {},
): Promise<DocumentPage> => {
  const { store } = session
  const query = parsed(nxql)
  const plan = compileNxql(query, await queryScope(session, query))
  return readPage(
    paging,
    (page) => store.query(plan, page),
    (atMost) => store.count(plan, atMost),
  )
}

/** @throws badRequest for a query that names what is unknown, or asks what has no meaning; nothing is looked for. */
export const checkQuery = async (session: Session, query: Query): Promise<void> => {
  compileNxql(query, await queryScope(session, query)).ids()
}

/** Ids of everything that matches, in order: what a loop walks. */
export const queryIds = async (session: Session, nxql: string | Query, limit: number): Promise<string[]> => {
  const query = parsed(nxql)
  return session.store.queryIds(compileNxql(query, await queryScope(session, query)), limit)
}

/** A row of what a query selects, by its operands as written: `dc:title`, `COUNT(ecm:uuid)`. */
export type QueryRecord = { [operand: string]: PropertyValue }

export type RecordPage = Omit<DocumentPage, 'entries'> & { entries: QueryRecord[] }

/** Rows of pairs, which are all made and sorted however short the page is: a second of work. */
const MOST_PAIRS = 1_000_000

const requireFewPairs = async (store: Session['store'], { crossed }: RecordPlan): Promise<void> => {
  if (!crossed || (await store.count(crossed, MOST_PAIRS)) <= MOST_PAIRS) return
  throw fail(
    'badRequest',
    `NXQL: SELECT makes a row of each pair of elements of ${crossed.lists.join(' and ')}, more than ${MOST_PAIRS}: select one of the lists, or narrow the query`,
  )
}

/**
 * Runs an NXQL query for rows of what it selects instead of documents (nxql-search.md §7): columns, elements of
 * lists, or one row of COUNT, AVG, SUM, MIN and MAX. Dates are ISO 8601 in UTC.
 *
 * @throws badRequest as `queryDocuments` does, and for what cannot be selected.
 */
export const queryAndFetch = async (
  session: Session,
  nxql: string | Query,
  paging: Paging = {},
): Promise<RecordPage> => {
  const { store } = session
  const query = parsed(nxql)
  const plan = compileRecords(query, await queryScope(session, query))
  await requireFewPairs(store, plan)
  return readPage(
    paging,
    (page) => store.records(plan, page),
    (atMost) => store.count(plan, atMost),
  )
}

/** How a query is answered: its syntax tree, its statement with the values, and the plan of the database. */
export type QueryExplanation = { query: Query; sql: string; parameters: readonly unknown[]; plan: string[] }

/**
 * Explains how a query is answered, without running it.
 *
 * @throws forbidden for all but administrators: a statement tells of others' rights.
 */
export const explainQuery = async (session: Session, nxql: string | Query): Promise<QueryExplanation> => {
  if (!session.principal.isAdministrator) throw fail('forbidden', 'Only administrators may explain queries')
  const query = parsed(nxql)
  const isRows =
    query.select.kind === 'items' && query.select.items.some(({ operand }) => operand.kind === 'function')
  const { text, parameters } = (isRows ? compileRecords : compileNxql)(query, session).rows({
    limit: MAX_PAGE_SIZE,
  })
  return { query, sql: text, parameters, plan: await session.store.explain({ text, parameters }) }
}

/** Who asks a query, and of which repository. */
export type QueryCaller = Pick<Session, 'principal' | 'repository'>

/** A parameter of a query, with the whole values that the server fills in (nxql-search.md §1.1). */
export const filledIn = (value: string, { principal, repository }: QueryCaller): string => {
  if (value === '$currentUser') return principal.name
  return value === '$currentRepository' ? repository : value
}
