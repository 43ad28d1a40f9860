import { suggestion } from '../contributions/index.js'
import { type DocumentPage, type Paging, queryDocuments, type Session } from '../documents/index.js'
import { fail } from '../errors/index.js'
import { compileAggregate, narrowed, type Query } from '../nxql/index.js'
import { type Aggregate, type CountBy, computeAggregates, selectionConditions } from './aggregates/index.js'
import { buildQuery, type ProviderRequest } from './build-query.js'
import { type PageProviderDefinition, pageProvidersPoint } from './definition.js'
import { createSearchDocument, type SearchDocument } from './search-document.js'

/** A page of a provider with what its form shows beside the results. */
export type ProviderPage = DocumentPage & {
  isSortable: boolean
  /** Empty when the provider declares none. */
  aggregates: readonly Aggregate[]
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
  if (provider) return provider
  const known = contributions.get(pageProvidersPoint).keys()
  throw fail('notFound', `Could not resolve page provider with name '${name}'${suggestion(name, known)}`)
}

const maxResultsOf = ({ maxResults }: PageProviderDefinition, pageSize: number): number | undefined => {
  if (maxResults === 'PAGE_SIZE') return pageSize === 0 ? undefined : pageSize
  return maxResults === 'DEFAULT_NAVIGATION_RESULTS' ? DEFAULT_NAVIGATION_RESULTS : maxResults
}

const onRepository: CountBy = (session, { query, ...aggregate }) =>
  session.store.counts(compileAggregate(query, aggregate, session))

/** Aggregates of a query on the repository, or on what else counts. */
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
    countBy: onRepository,
    onlySelected: skipsAggregates,
  })

/**
 * Runs a page provider: its query narrowed by what is chosen in its aggregates, and the counts of these
 * (nxql-search.md §8).
 *
 * @throws badRequest for missing parameters and values that do not fit.
 */
export const runPageProvider = async (
  session: Session,
  provider: PageProviderDefinition,
  request: ProviderRequest & Paging & { skipsAggregates?: boolean },
): Promise<ProviderPage> => {
  const { model } = session
  const document = createSearchDocument(provider, request.named, model)
  const query = buildQuery(provider, request, { document, model })
  const pageSize = request.pageSize ?? provider.pageSize
  const found = narrowed(query, selectionConditions(provider.aggregates, { document, session }))
  const [page, aggregates] = await Promise.all([
    queryDocuments(session, found, {
      pageSize,
      maxPageSize: provider.maxPageSize,
      maxResults: maxResultsOf(provider, pageSize),
      currentPageIndex: request.currentPageIndex,
      offset: request.offset,
    }),
    aggregatesOf(session, {
      provider,
      query,
      document,
      skipsAggregates: request.skipsAggregates ?? false,
    }),
  ])
  const { quickFilters } = provider
  return {
    ...page,
    isSortable: provider.sortable,
    aggregates,
    quickFilters:
      quickFilters.length === 0
        ? undefined
        : quickFilters.map(({ name }) => ({ name, isActive: request.quickFilters.includes(name) })),
  }
}
