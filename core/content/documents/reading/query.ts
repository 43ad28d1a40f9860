import { policyRestrictions } from '../../../access/security/index.js'
import {
  type Grouping,
  narrowed,
  parseConditions,
  parseNxql,
  type Query,
  type Reference,
} from '../../../model/nxql/index.js'
import type { DocumentRecord } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import type { JsonValue } from '../../../platform/events/index.js'
import type {
  CountedPage,
  GroupCount,
  QueryBackend,
  QueryRecord,
  QueryScope,
  Results,
} from '../../stores/index.js'
import type { Session } from '../session.js'
import { asFound, browsedAlone } from './found.js'
import { requireHiddenStay } from './hidden-lists.js'

/** Largest page of any query unless configured otherwise (nxql-search.md §1.2). */
export const MAX_PAGE_SIZE = 1_000

/** A page of documents with the paging fields of a `documents` entity (rest-documents.md §2). */
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

/** A page of something else than documents. */
export type PageOf<Entry> = Omit<DocumentPage, 'entries'> & { entries: Entry[] }

/** Reads the part of a list that is asked for, with its position in the list. */
export const readPage = async <Entry>(
  paging: Paging,
  read: (page: CountedPage) => Promise<Results<Entry>>,
): Promise<PageOf<Entry>> => {
  const { pageSize, maxPageSize, limit, offset } = windowOf(paging)
  const { maxResults } = paging
  const { entries, total } = await read({ limit, offset, countAtMost: maxResults })
  return {
    entries,
    pageSize,
    maxPageSize,
    pageIndex: Math.floor(offset / limit),
    offset,
    resultsCount: maxResults !== undefined && total > maxResults ? MORE_THAN_COUNTED : total,
  }
}

const searchOf = ({ stores, searchBackend }: Session): QueryBackend =>
  searchBackend === 'database' ? stores.queries : stores.search

/** A query as a session asks it: within what security policies leave to its principal. */
const asked = (
  { model, principal, permissions, now }: Session,
  nxql: string | Query,
  by?: Reference,
): [query: Query, scope: QueryScope] => {
  const query = typeof nxql === 'string' ? parseNxql(nxql) : nxql
  requireHiddenStay({ model, principal }, query, by && [by])
  const demanded = policyRestrictions(permissions.policies, principal).map(parseConditions)
  return [narrowed(query, demanded), { model, principal, now }]
}

const readFound = async (
  session: Session,
  backend: QueryBackend,
  { nxql, paging }: { nxql: string | Query; paging: Paging },
): Promise<DocumentPage> => {
  const page = await readPage(paging, (part) => backend.query(...asked(session, nxql), part))
  return { ...page, entries: await asFound(session, page.entries) }
}

/**
 * Runs an NXQL query for the documents that the principal may browse. Of those that he may not read there is the title
 * alone. The repository answers, with what the session has written itself.
 *
 * @param nxql as text, or parsed already.
 * @throws badRequest for a query that does not parse, names what is unknown, or asks what has no meaning.
 */
export const queryDocuments = (
  session: Session,
  nxql: string | Query,
  paging: Paging = {},
): Promise<DocumentPage> => readFound(session, session.stores.queries, { nxql, paging })

/** As `queryDocuments`, answered by the backend of searches, which may lag behind commits: for what users look for. */
export const searchDocuments = (
  session: Session,
  nxql: string | Query,
  paging: Paging = {},
): Promise<DocumentPage> => readFound(session, searchOf(session), { nxql, paging })

/** @throws badRequest for a query that names what is unknown, or asks what has no meaning; nothing is looked for. */
export const checkQuery = (session: Session, query: Query): void =>
  session.stores.queries.check(...asked(session, query))

/** Ids of what matches, in order, at most `limit`: what a loop goes through. */
export const queryIds = async (session: Session, nxql: string | Query, limit: number): Promise<string[]> =>
  session.stores.queries.ids(...asked(session, nxql), limit)

/** Counts what a search finds by the values of a property. @throws badRequest for a property without such values. */
export const aggregateDocuments = async (
  session: Session,
  { query, reference, grouping }: { query: Query; reference: Reference; grouping: Grouping },
): Promise<GroupCount[]> => {
  const by = { reference, grouping }
  const { backend, question } = await askedForValues(session, searchOf(session), {
    nxql: query,
    by: reference,
  })
  return backend.aggregate(...question, by)
}

/**
 * Who answers for values that are shown of documents, and how he is asked: of documents that may be read. Where somebody
 * may browse more than that, the repository answers.
 */
const askedForValues = async (
  session: Session,
  backend: QueryBackend,
  { nxql, by }: { nxql: string | Query; by?: Reference },
): Promise<{ backend: QueryBackend; question: [query: Query, scope: QueryScope] }> => {
  const [query, scope] = asked(session, nxql, by)
  const reading = await browsedAlone(session)
  return reading
    ? { backend: session.stores.queries, question: [query, { ...scope, reading }] }
    : { backend, question: [query, scope] }
}

export type RecordPage = PageOf<QueryRecord>

const readRecords = async (
  session: Session,
  asks: QueryBackend,
  { nxql, paging }: { nxql: string | Query; paging: Paging },
): Promise<RecordPage> => {
  const { backend, question } = await askedForValues(session, asks, { nxql })
  return readPage(paging, (page) => backend.records(...question, page))
}

/**
 * Runs an NXQL query for rows of what it selects instead of documents (nxql-search.md §7): columns, elements of
 * lists, or one row of COUNT, AVG, SUM, MIN and MAX. Dates are ISO 8601 in UTC.
 *
 * @throws badRequest as `queryDocuments` does, and for what cannot be selected.
 */
export const queryAndFetch = (
  session: Session,
  nxql: string | Query,
  paging: Paging = {},
): Promise<RecordPage> => readRecords(session, session.stores.queries, { nxql, paging })

/** As `queryAndFetch`, answered by the backend of searches. */
export const searchAndFetch = (
  session: Session,
  nxql: string | Query,
  paging: Paging = {},
): Promise<RecordPage> => readRecords(session, searchOf(session), { nxql, paging })

/** How a query is answered: its syntax tree, and what the backend says of it in its own words. */
export type QueryExplanation = { query: Query } & { [fact: string]: JsonValue | Query }

/** Who answers where no index has a say. */
const BY_DATABASE = {
  backend: 'database',
  reason: 'there is no index, or the call or its page provider asks the database',
}

/**
 * Explains how a search is answered.
 *
 * @throws forbidden for all but administrators: an explanation shows others' rights.
 */
export const explainQuery = async (session: Session, nxql: string | Query): Promise<QueryExplanation> => {
  if (!session.principal.isAdministrator) throw fail('forbidden', 'Only administrators may explain queries')
  const query = typeof nxql === 'string' ? parseNxql(nxql) : nxql
  const facts = await searchOf(session).explain(...asked(session, query), MAX_PAGE_SIZE)
  return { query, ...('backend' in facts ? {} : BY_DATABASE), ...facts }
}

/** Who asks a query, and of which repository. */
export type QueryCaller = Pick<Session, 'principal' | 'repository'>

/** A parameter of a query, with the whole values that the server fills in (nxql-search.md §1.1). */
export const filledIn = (value: string, { principal, repository }: QueryCaller): string => {
  if (value === '$currentUser') return principal.name
  return value === '$currentRepository' ? repository : value
}
