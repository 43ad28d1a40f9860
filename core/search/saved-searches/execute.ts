import { filledIn, type Session } from '../../content/documents/index.js'
import { pairedSort, type Query, splitCommas } from '../../model/nxql/index.js'
import { fail } from '../../platform/errors/index.js'
import {
  adHocProvider,
  getPageProvider,
  knownParameters,
  type PageProviderDefinition,
  type PageRequest,
  type ProviderPage,
  providerQuery,
  runPageProvider,
} from '../page-providers/index.js'
import type { SavedSearch } from './saved-search.js'

/** The parameters of a call, which replace saved ones. */
export type SavedSearchCall = PageRequest & { maxResults?: number | undefined; skipsAggregates?: boolean }

const providerOf = (session: Session, { query, pageProviderName }: SavedSearch): PageProviderDefinition => {
  if (query !== null) return adHocProvider(session, query)
  if (pageProviderName !== null) return getPageProvider(session, pageProviderName)
  throw fail('badRequest', 'The saved search has neither a query nor a page provider')
}

/** The named parameters that have an effect on a saved search. @throws as `executeSavedSearch` does. */
export const savedSearchParameters = (session: Session, search: SavedSearch): ReadonlySet<string> =>
  knownParameters(providerOf(session, search), session.model)

/** One value, or those of a JSON list. */
const positionalOf = (saved: string | null): string[] => {
  if (saved === null) return []
  if (!saved.trim().startsWith('[')) return [saved]
  try {
    const values: unknown = JSON.parse(saved)
    return Array.isArray(values) ? values.map(String) : [saved]
  } catch {
    // A text that begins like a list is one value.
    return [saved]
  }
}

/** A page in the call replaces the saved one, in whichever way it is expressed. */
const pageOf = (search: SavedSearch, call: SavedSearchCall) => {
  const isAsked = call.currentPageIndex !== undefined || call.offset !== undefined
  return {
    pageSize: call.pageSize ?? search.pageSize ?? (search.query === null ? undefined : 0),
    currentPageIndex: isAsked ? call.currentPageIndex : (search.currentPageIndex ?? undefined),
    offset: call.offset,
  }
}

const limited = (provider: PageProviderDefinition, maxResults: number | null | undefined) =>
  maxResults !== null && maxResults !== undefined && maxResults > 0 ? { ...provider, maxResults } : provider

/**
 * Runs a saved search with the rights of the caller; parameters of the call replace saved ones
 * (nxql-search.md §10).
 *
 * @throws notFound when its page provider is gone, badRequest for parameters that do not fit.
 */
export const executeSavedSearch = (
  session: Session,
  search: SavedSearch,
  call: SavedSearchCall,
): Promise<ProviderPage> => {
  const { provider, request } = requestOf(session, search, call)
  return runPageProvider(session, provider, request)
}

/** The query of a saved search as a call narrows it, without its pages. @throws as `executeSavedSearch` does. */
export const savedSearchQuery = (session: Session, search: SavedSearch, call: SavedSearchCall): Query => {
  const { provider, request } = requestOf(session, search, call)
  return providerQuery(session, provider, request)
}

const requestOf = (
  session: Session,
  search: SavedSearch,
  call: SavedSearchCall,
): { provider: PageProviderDefinition; request: SavedSearchCall } => {
  const named = Object.entries(search.params).map(([name, value]) => [name, filledIn(value, session)])
  const positional = positionalOf(search.queryParams).map((value) => filledIn(value, session))
  const provider = limited(providerOf(session, search), call.maxResults ?? search.maxResults)
  const request = {
    ...call,
    ...pageOf(search, call),
    queryParams: call.queryParams.length > 0 ? call.queryParams : positional,
    named: { ...Object.fromEntries(named), ...call.named },
    sort: call.sort ?? pairedSort(splitCommas(search.sortBy ?? ''), splitCommas(search.sortOrder ?? '')),
  }
  return { provider, request }
}
