import type { Session } from '../../core/content/documents/index.js'
import {
  bindParameters,
  namedParametersIn,
  parseNxql,
  type Query,
  sorted,
} from '../../core/model/nxql/index.js'
import { fail } from '../../core/platform/errors/index.js'
import { getPageProvider, knownParameters, providerQuery } from '../../core/search/page-providers/index.js'
import {
  getSavedSearch,
  savedSearchParameters,
  savedSearchQuery,
} from '../../core/search/saved-searches/index.js'
import type { RequestContext } from '../edge/index.js'
import { parseQuery } from '../parse/index.js'
import { sortParameters } from '../rest/index.js'
import { pageRequest } from './provider.js'
import { namedParameters, positionalParameters, refuseUnknownParameters } from './query-parameters.js'
import { queryParameters } from './search.schema.js'

/**
 * The query of a request whose response is no page, e.g. a bulk command.
 *
 * @param own query parameters of the request that do not belong to the query.
 * @throws badRequest without a query, and for a parameter that neither it nor the request knows.
 */
export const foundByQuery = (c: RequestContext, session: Session, own: readonly string[]): Query => {
  const { query } = parseQuery(c, queryParameters)
  if (query === undefined) throw fail('badRequest', 'query: is missing, and no page provider is named')
  refuseUnknownParameters(c, new Set([...namedParametersIn(query), ...own]))
  const named = without(namedParameters(c, session), own)
  return sorted(parseNxql(bindParameters(query, positionalParameters(c, session), named)), sortParameters(c))
}

const requestOf = (c: RequestContext, session: Session, own: readonly string[]) => {
  const request = pageRequest({ c, session })
  return { ...request, named: without(request.named, own) }
}

const without = <Value>(values: { [name: string]: Value }, names: readonly string[]) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)))

/** The query of the page provider that the address names. */
export const foundByProvider = (c: RequestContext, session: Session, own: readonly string[]): Query => {
  const provider = getPageProvider(session, c.req.param('provider') ?? '')
  refuseUnknownParameters(c, new Set([...knownParameters(provider, session.model), ...own]))
  return providerQuery(session, provider, requestOf(c, session, own))
}

/** The query of the saved search that the address names. */
export const foundBySavedSearch = async (
  c: RequestContext,
  session: Session,
  own: readonly string[],
): Promise<Query> => {
  const search = await getSavedSearch(session, c.req.param('id') ?? '')
  refuseUnknownParameters(c, new Set([...savedSearchParameters(session, search), ...own]))
  return savedSearchQuery(session, search, requestOf(c, session, own))
}
