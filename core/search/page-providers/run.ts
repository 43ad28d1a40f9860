import {
  type DocumentPage,
  explainQuery,
  type Paging,
  type QueryExplanation,
  type RecordPage,
  type Session,
  searchAndFetch,
  searchDocuments,
} from '../../content/documents/index.js'
import { narrowed, type Query } from '../../model/nxql/index.js'
import { suggestion } from '../../platform/contributions/index.js'
import { fail } from '../../platform/errors/index.js'
import { type Aggregate, computeAggregates, selectionConditions } from './aggregates/aggregate.js'
import { sessionFor } from './backend.js'
import { buildQuery, type ProviderRequest } from './build-query.js'
import { type Highlight, highlighted } from './highlight.js'
import { type PageProviderDefinition, pageProvidersPoint } from './page-providers-point.js'
import { createSearchDocument, type SearchDocument } from './search-document.js'
import { trackSearch } from './tracking.js'

/** A page of a provider with what its form shows beside the results. */
export type ProviderPage = DocumentPage & {
  isSortable: boolean
  /** Empty when the provider declares none. */
  aggregates: readonly Aggregate[]
  /** The highlights of each document; undefined when the call asked for none. */
  highlights: readonly (readonly Highlight[])[] | undefined
  /** Undefined when the provider declares none. */
  quickFilters: readonly { name: string; isActive: boolean }[] | undefined
}

/** How many results a navigation counts when it does not say how many it shows. */
const DEFAULT_NAVIGATION_RESULTS = 200

/**
 * A page provider by name.
 *
 * @throws notFound; the reference answers 500 (nxql-search.md §1.3).
 */
export const getPageProvider = (
  { contributions }: Pick<Session, 'contributions'>,
  name: string,
): PageProviderDefinition => {
  const provider = contributions.get(pageProvidersPoint).get(name)
  if (provider) return { ...provider, name }
  const known = contributions.get(pageProvidersPoint).keys()
  throw fail('notFound', `Could not resolve page provider with name '${name}'${suggestion(name, known)}`)
}

const AD_HOC = 'REST_API_SEARCH_ADAPTER'

/** The session by which a query of the call itself searches (nxql-search.md §1.4). */
export const adHocSession = (session: Session): Session =>
  sessionFor(session, getPageProvider(session, AD_HOC))

/** A query of the call itself as a provider, for features that only providers have (nxql-search.md §1.4). */
export const adHocProvider = (
  session: Pick<Session, 'contributions'>,
  query: string,
): PageProviderDefinition => ({
  ...getPageProvider(session, AD_HOC),
  pattern: query,
  quoteParameters: true,
})

const maxResultsOf = ({ maxResults }: PageProviderDefinition, pageSize: number): number | undefined => {
  if (maxResults === 'PAGE_SIZE') return pageSize === 0 ? undefined : pageSize
  return maxResults === 'DEFAULT_NAVIGATION_RESULTS' ? DEFAULT_NAVIGATION_RESULTS : maxResults
}

/** Aggregates of a query. */
const aggregatesOf = (
  session: Session,
  {
    provider,
    query,
    document,
    skipsAggregates,
  }: {
    provider: PageProviderDefinition
    query: Query
    document: SearchDocument
    skipsAggregates: boolean
  },
): Promise<Aggregate[]> =>
  computeAggregates(session, {
    query,
    definitions: provider.aggregates,
    document,
    onlySelected: skipsAggregates,
  })

/**
 * The query of a provider with the conditions of a call, without its pages: a bulk command iterates over it.
 *
 * @throws badRequest as `runPageProvider` does.
 */
export const providerQuery = (
  session: Session,
  provider: PageProviderDefinition,
  request: PageRequest,
): Query => searchOf(session, documentsOf(provider), request).found

/**
 * The query of a provider of the audit, and the page asked for.
 *
 * @throws badRequest as `runPageProvider` does, and for a provider of documents.
 */
export const entriesQuery = (
  session: Session,
  provider: PageProviderDefinition,
  request: PageRequest,
): { query: Query; paging: Paging } => {
  if (provider.source !== 'audit')
    throw fail('badRequest', `The page provider ${provider.name} lists documents, not the audit`)
  const { query, paging } = searchOf(session, provider, request)
  return { query, paging }
}

const documentsOf = (provider: PageProviderDefinition): PageProviderDefinition => {
  if (provider.source === 'documents') return provider
  throw fail(
    'badRequest',
    `The page provider ${provider.name} lists the audit: Audit.QueryWithPageProvider asks it`,
  )
}

/** A call of a provider: its parameters and the page. */
export type PageRequest = ProviderRequest &
  Paging & {
    /** Results to count where the provider does not say how many; absent: all. */
    countLimit?: number | undefined
  }

/** The query of a provider for one call, and the page asked for. */
const searchOf = (session: Session, provider: PageProviderDefinition, request: PageRequest) => {
  const document = createSearchDocument(provider, request.named, session.model)
  const query = buildQuery(provider, request, { document, model: session.model })
  const pageSize = request.pageSize ?? provider.pageSize
  return {
    document,
    query,
    found: narrowed(query, selectionConditions(provider.aggregates, { document, session })),
    paging: {
      pageSize,
      maxPageSize: provider.maxPageSize,
      maxResults: maxResultsOf(provider, pageSize) ?? request.countLimit,
      currentPageIndex: request.currentPageIndex,
      offset: request.offset,
    },
  }
}

/**
 * Runs a page provider: its query narrowed by the chosen keys of its aggregates, and the counts of these
 * (nxql-search.md §8).
 *
 * @param request `highlight` names the fields in which to mark found words.
 * @throws badRequest for missing parameters and values that do not fit.
 */
export const runPageProvider = async (
  session: Session,
  provider: PageProviderDefinition,
  request: PageRequest & { skipsAggregates?: boolean; highlight?: readonly string[] },
): Promise<ProviderPage> => {
  const startedAt = performance.now()
  const searching = sessionFor(session, provider)
  const { document, query, found, paging } = searchOf(session, documentsOf(provider), request)
  const [page, aggregates] = await Promise.all([
    searchDocuments(searching, found, paging),
    aggregatesOf(searching, {
      provider,
      query,
      document,
      skipsAggregates: request.skipsAggregates ?? false,
    }),
  ])
  await trackSearch(session, provider, { request, document, page, aggregates, startedAt })
  const { quickFilters } = provider
  const { highlight = [] } = request
  return {
    ...page,
    highlights: highlight.length === 0 ? undefined : await highlighted(found, page.entries, highlight),
    isSortable: provider.sortable,
    aggregates,
    quickFilters:
      quickFilters.length === 0
        ? undefined
        : quickFilters.map(({ name }) => ({ name, isActive: request.quickFilters.includes(name) })),
  }
}

/**
 * Explains how the query of a page provider is answered, with the conditions of a call.
 *
 * @throws forbidden for all but administrators; badRequest as `runPageProvider` does.
 */
export const explainPageProvider = async (
  session: Session,
  provider: PageProviderDefinition,
  request: PageRequest,
): Promise<QueryExplanation & { pageProvider: string }> => {
  const explained = await explainQuery(
    sessionFor(session, provider),
    providerQuery(session, provider, request),
  )
  return { pageProvider: provider.name ?? '', ...explained }
}

/**
 * Runs a page provider for rows of what its query selects (nxql-search.md §7).
 *
 * @throws badRequest as `runPageProvider` does, and for what cannot be selected.
 */
export const fetchPageProvider = async (
  session: Session,
  provider: PageProviderDefinition,
  request: PageRequest,
): Promise<RecordPage> => {
  const startedAt = performance.now()
  const { document, found, paging } = searchOf(session, documentsOf(provider), request)
  const page = await searchAndFetch(sessionFor(session, provider), found, paging)
  await trackSearch(session, provider, { request, document, page, aggregates: [], startedAt })
  return page
}
