import { requirePermission, type Session } from '../../content/documents/index.js'
import { sorted } from '../../model/nxql/index.js'
import type { DocumentRecord } from '../../model/properties/index.js'
import {
  entriesQuery,
  getPageProvider,
  type PageProviderDefinition,
  type PageRequest,
} from '../page-providers/index.js'
import { findLogEntries, type LogEntryPage, parseAuditQuery } from './find.js'

/** Entries of a page at most, as of documents (workflow-audit.md §6). */
const MAX_PAGE_SIZE = 1_000

const HISTORY = 'DOCUMENT_HISTORY_PROVIDER'

/**
 * Runs a page provider of the audit (workflow-audit.md §6). Rights are its callers' to check.
 *
 * @throws badRequest for missing parameters, values that do not fit, and a provider of documents.
 */
export const runAuditProvider = (
  session: Session,
  provider: PageProviderDefinition,
  request: PageRequest,
): Promise<LogEntryPage> => {
  const { query, paging } = entriesQuery(session, provider, request)
  return findLogEntries(session, query, paging)
}

/**
 * Runs a query of the caller's own on the audit, in NXQL or the older notation.
 *
 * @throws badRequest naming what is wrong with the query.
 */
export const runAuditQuery = (
  session: Session,
  text: string,
  { sort, ...paging }: Pick<PageRequest, 'sort' | 'pageSize' | 'currentPageIndex' | 'offset' | 'maxResults'>,
): Promise<LogEntryPage> =>
  findLogEntries(session, sorted(parseAuditQuery(text), sort), { ...paging, maxPageSize: MAX_PAGE_SIZE })

/** The provider of a version's history: of it, and of its live document until it was made. */
const ofVersion = (provider: PageProviderDefinition): PageProviderDefinition => ({
  ...provider,
  whereClause: {
    quoteParameters: true,
    predicates: [],
    ...provider.whereClause,
    fixedPart: 'docUUID = ? OR (docUUID = ? AND eventDate <= ?)',
  },
})

/** Where a document was before it came to where its reader may see it is not his to know. */
const withoutOldPlaces = (
  { principal }: Session,
  page: LogEntryPage,
  { path }: Pick<DocumentRecord, 'path'>,
): LogEntryPage => {
  if (principal.isAdministrator) return page
  const entries = page.entries.map((entry) => (entry.docPath === path ? entry : { ...entry, docPath: null }))
  return { ...page, entries }
}

/**
 * A page of what has happened to a document, newest first (`@audit`). All but administrators see its present path alone.
 *
 * @throws forbidden without Read on the document.
 */
export const documentHistory = async (
  session: Session,
  document: DocumentRecord,
  request: Omit<PageRequest, 'queryParams' | 'quickFilters'>,
): Promise<LogEntryPage> => {
  await requirePermission(session, document, 'Read')
  const provider = getPageProvider(session, HISTORY)
  const { id, versionSeriesId, versionCreatedAt } = document
  const isVersion = versionCreatedAt && versionSeriesId !== null
  const page = await runAuditProvider(session, isVersion ? ofVersion(provider) : provider, {
    ...request,
    queryParams: isVersion ? [id, versionSeriesId, versionCreatedAt.toISOString()] : [id],
    quickFilters: [],
  })
  return withoutOldPlaces(session, page, document)
}
