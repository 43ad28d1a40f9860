import type { Session } from '../../core/documents/index.js'
import { getPageProvider, runPageProvider } from '../../core/page-providers/index.js'
import type { RequestContext } from '../environment.js'
import { splitCommas } from '../parse/index.js'
import {
  documentsEntity,
  entityResponse,
  pagingParameters,
  type RestServices,
  requireJsonAccepted,
  sortParameters,
} from '../rest/index.js'
import { aggregationsOf } from './aggregate-entity.js'
import { namedParameters, positionalParameters } from './query-parameters.js'

/** What a caller leaves out of a page: only aggregates with a selection are computed (nxql-search.md §1.1). */
const skipsAggregates = (c: RequestContext): boolean =>
  c.req.header('skipAggregates')?.toLowerCase() === 'true'

/**
 * Answers with a page of a provider.
 *
 * @param queryParams values of `?` in order; those of the request when absent.
 */
export const answerProvider = async (
  { renderer }: RestServices,
  {
    c,
    session,
    name,
    queryParams,
  }: { c: RequestContext; session: Session; name: string; queryParams?: string[] },
): Promise<Response> => {
  requireJsonAccepted(c)
  const provider = getPageProvider(session, name)
  const page = await runPageProvider(session, provider, {
    ...pagingParameters(c),
    queryParams: queryParams ?? positionalParameters(c, session),
    named: namedParameters(c, session),
    sort: sortParameters(c),
    quickFilters: splitCommas((c.req.queries('quickFilters') ?? []).join(',')),
    skipsAggregates: skipsAggregates(c),
  })
  const entries = await renderer(c, session).many(page.entries)
  const quickFilters = page.quickFilters?.map(({ name: filter, isActive }) => ({
    name: filter,
    active: isActive,
  }))
  return entityResponse(
    documentsEntity(page, entries, {
      isSortable: page.isSortable,
      aggregations: aggregationsOf(page.aggregates),
      quickFilters,
    }),
  )
}

/** The definition of a provider, without what it finds. */
export const answerDefinition = (session: Session, name: string): Response => {
  const { sort, quickFilters, ...definition } = getPageProvider(session, name)
  return Response.json({
    name,
    ...definition,
    sortInfos: sort.map(({ field, isAscending }) => ({ sortColumn: field, sortAscending: isAscending })),
    quickFilters: quickFilters.map((filter) => ({ name: filter.name, clause: filter.clause ?? null })),
  })
}
