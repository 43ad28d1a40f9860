import type { Session } from '../../core/content/documents/index.js'
import {
  explainPageProvider,
  getPageProvider,
  knownParameters,
  type PageRequest,
  type ProviderPage,
  runPageProvider,
} from '../../core/search/page-providers/index.js'
import { inListTurn, type RequestContext, refuseForeignWork } from '../edge/index.js'
import { parseQuery } from '../parse/index.js'
import {
  type DocumentEntity,
  documentsEntity,
  entityOptions,
  entityResponse,
  pagingParameters,
  type RestServices,
  requireJsonAccepted,
  sortParameters,
} from '../rest/index.js'
import { aggregationsOf } from './aggregate-entity.js'
import { namedParameters, positionalParameters, refuseUnknownParameters } from './query-parameters.js'
import { nxqlParameters, providerParameters } from './search.schema.js'

/** Whether only aggregates with a selection are computed (nxql-search.md §1.1). */
const skipsAggregates = (c: RequestContext): boolean =>
  c.req.header('skipAggregates')?.toLowerCase() === 'true'

export type ProviderCall = {
  c: RequestContext
  session: Session
  name: string
  /** Values of `?` in order; those of the request when absent. */
  queryParams?: string[]
}

/** The request for a page of a provider. */
export const pageRequest = ({
  c,
  session,
  queryParams,
  countLimit,
}: Omit<ProviderCall, 'name'> & { countLimit?: number | undefined }): PageRequest & {
  skipsAggregates: boolean
  highlight: string[]
} => {
  const { maxResults, ...paging } = pagingParameters(c, countLimit)
  const { highlight, ...parameters } = parseQuery(c, providerParameters)
  return {
    ...paging,
    countLimit: maxResults,
    queryParams: queryParams ?? positionalParameters(c, session),
    named: namedParameters(c, session),
    sort: sortParameters(c),
    ...parameters,
    highlight: isHighlighted(c) ? highlight : [],
    skipsAggregates: skipsAggregates(c),
  }
}

/** A page of a provider, by the parameters of a request. */
export const providerPage = ({ platform }: RestServices, call: ProviderCall): Promise<ProviderPage> =>
  runPageProvider(
    call.session,
    getPageProvider(call.session, call.name),
    pageRequest({ ...call, countLimit: platform.settings.countLimit }),
  )

/** Nothing is looked for that nobody is shown. */
const isHighlighted = (c: RequestContext): boolean =>
  entityOptions(c, 'document').enrichers.includes('highlight')

/** Adds the result of the enricher `highlight`, which needs the page besides its documents (nxql-search.md §1.1). */
const withHighlights = (
  entries: readonly DocumentEntity[],
  highlights: ProviderPage['highlights'],
): readonly DocumentEntity[] => {
  if (!highlights) return entries
  return entries.map((entry, position) => ({
    ...entry,
    contextParameters: { ...entry.contextParameters, highlight: highlights[position] ?? [] },
  }))
}

/** Responds with a page of results. */
export const pageResponse = async (
  { renderer }: RestServices,
  { c, session, page }: { c: RequestContext; session: Session; page: ProviderPage },
): Promise<Response> => {
  const { many, resolve } = renderer(c, session)
  const entries = withHighlights(await many(page.entries), page.highlights)
  const fetchesKeys = entityOptions(c, 'aggregate').fetch.includes('key')
  const quickFilters = page.quickFilters?.map(({ name, isActive }) => ({ name, active: isActive }))
  return entityResponse(
    documentsEntity(page, entries, {
      isSortable: page.isSortable,
      aggregations: await aggregationsOf(
        page.aggregates,
        fetchesKeys ? { model: session.model, resolve } : undefined,
      ),
      quickFilters,
    }),
  )
}

/** Responds with a page of a provider. */
export const providerResponse = async (services: RestServices, call: ProviderCall): Promise<Response> => {
  const { c, session, name } = call
  requireJsonAccepted(c)
  refuseForeignWork(c)
  const provider = getPageProvider(session, name)
  refuseUnknownParameters(c, knownParameters(provider, session.model))
  if (parseQuery(c, nxqlParameters).explain === 'true')
    return c.json(await explainPageProvider(session, provider, pageRequest(call)))
  return inListTurn(c, async () =>
    pageResponse(services, { ...call, page: await providerPage(services, call) }),
  )
}

/** Responds with the definition of a provider, without results. */
export const definitionResponse = (session: Session, name: string): Response => {
  const { sort, quickFilters, ...definition } = getPageProvider(session, name)
  return Response.json({
    name,
    ...definition,
    sortInfos: sort.map(({ field, isAscending }) => ({ sortColumn: field, sortAscending: isAscending })),
    quickFilters: quickFilters.map((filter) => ({ name: filter.name, clause: filter.clause ?? null })),
  })
}
