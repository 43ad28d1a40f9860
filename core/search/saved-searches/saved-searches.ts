import {
  createDocument,
  type DocumentPage,
  getDocument,
  type Paging,
  removeDocument,
  type Session,
  searchDocuments,
  updateDocument,
} from '../../content/documents/index.js'
import { getUserWorkspace } from '../../content/user-workspaces/index.js'
import { isSortable, quoteNxql, refusalOfNxql, splitCommas } from '../../model/nxql/index.js'
import type { DocumentRecord } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import { getPageProvider, runPageProvider } from '../page-providers/index.js'
import { asProperties, asSavedSearch, type SavedSearch, type SavedSearchContent } from './saved-search.js'

const TYPE = 'SavedSearch'
const FACET = 'SavedSearch'

/** Names are for addresses: the title distinguishes searches. */
const NAME_LENGTH = 60

const nameFor = (title: string): string =>
  Array.from(title.trim().replace(/^[@.]+/, ''))
    .slice(0, NAME_LENGTH)
    .join('')

const requireProvider = (session: Session, name: string): void => {
  try {
    getPageProvider(session, name)
  } catch (cause) {
    throw fail('badRequest', `pageProviderName: ${(cause as Error).message}`, { cause })
  }
}

const requireQuery = (query: string, language: string): void => {
  if (language.toUpperCase() !== 'NXQL') throw fail('badRequest', `queryLanguage: '${language}' is not NXQL`)
  const refusal = refusalOfNxql(query)
  if (refusal !== undefined) throw fail('badRequest', `query: ${refusal}`)
}

/** Either a query with its language or a provider, which must be valid. */
const requireValid = (session: Session, content: SavedSearchContent): void => {
  const { title, query, queryLanguage, pageProviderName, sortBy } = content
  if (title.trim() === '') throw fail('badRequest', 'title: a saved search needs a title')
  if ((query === null) !== (queryLanguage === null))
    throw fail(
      'badRequest',
      query === null ? 'query: missing beside queryLanguage' : 'queryLanguage: missing beside query',
    )
  if ((query === null) === (pageProviderName === null))
    throw fail('badRequest', 'pageProviderName: either this or query and queryLanguage must be set')
  if (pageProviderName !== null) requireProvider(session, pageProviderName)
  if (query !== null && queryLanguage !== null) requireQuery(query, queryLanguage)
  const unsortable = splitCommas(sortBy ?? '').find((field) => !isSortable(field))
  if (unsortable !== undefined)
    throw fail('badRequest', `sortBy: '${unsortable}' is not the name of a property`)
}

/**
 * Stores a search in the workspace of the session's principal (nxql-search.md §10).
 *
 * @throws badRequest naming the field.
 */
export const createSavedSearch = async (
  session: Session,
  content: SavedSearchContent,
): Promise<SavedSearch> => {
  requireValid(session, content)
  const workspace = await getUserWorkspace(session)
  const document = await createDocument(session, {
    parent: workspace.id,
    name: nameFor(content.title),
    type: TYPE,
    properties: asProperties(content),
  })
  return asSavedSearch(document)
}

const isSavedSearch = ({ model }: Session, { type, facets }: DocumentRecord): boolean =>
  model.facetsOf(type, facets).includes(FACET)

/**
 * A saved search, the caller's own or a shared one.
 *
 * @throws notFound when there is none of that id that the principal may read.
 */
export const getSavedSearch = async (session: Session, id: string): Promise<SavedSearch> => {
  const document = await getDocument(session, id)
  if (!isSavedSearch(session, document)) throw fail('notFound', id)
  return asSavedSearch(document)
}

/**
 * Replaces the whole content of a saved search.
 *
 * @throws badRequest naming the field, forbidden without `WriteProperties`.
 */
export const updateSavedSearch = async (
  session: Session,
  { document }: SavedSearch,
  content: SavedSearchContent,
): Promise<SavedSearch> => {
  requireValid(session, content)
  return asSavedSearch(await updateDocument(session, document, asProperties(content)))
}

/** @throws forbidden without the right to remove the document. */
export const removeSavedSearch = (session: Session, { document }: SavedSearch): Promise<void> =>
  removeDocument(session, document)

export type SavedSearchPage = Omit<DocumentPage, 'entries'> & { entries: SavedSearch[] }

/**
 * The saved searches that the principal may read, by title.
 *
 * @param pageProvider only those of this provider.
 */
export const findSavedSearches = async (
  session: Session,
  { pageProvider, ...paging }: Paging & { pageProvider?: string | undefined },
): Promise<SavedSearchPage> => {
  const name = pageProvider === undefined ? 'SAVED_SEARCHES_ALL' : 'SAVED_SEARCHES_ALL_PAGE_PROVIDER'
  const page = await runPageProvider(session, getPageProvider(session, name), {
    queryParams: pageProvider === undefined ? [] : [pageProvider],
    named: {},
    quickFilters: [],
    ...paging,
  })
  return { ...page, entries: page.entries.map(asSavedSearch) }
}

/** The first saved searches in the order of their titles that begin with a text, in any case, and may be read. */
export const suggestSavedSearches = async (
  session: Session,
  text: string,
  limit: number,
): Promise<SavedSearch[]> => {
  const pattern = quoteNxql(`${text.replaceAll(/[\\%_]/g, '\\$&')}%`)
  const nxql = `SELECT * FROM Document WHERE ecm:mixinType = '${FACET}' AND ecm:isVersion = 0 AND ecm:isProxy = 0
    AND ecm:isTrashed = 0 AND dc:title ILIKE ${pattern} ORDER BY dc:title`
  const { entries } = await searchDocuments(session, nxql, { pageSize: limit })
  return entries.map(asSavedSearch)
}
