import { Hono } from 'hono'
import { z } from 'zod'
import { explainQuery, type Session, searchDocuments } from '../../core/content/documents/index.js'
import {
  bindParameters,
  namedParametersIn,
  parseNxql,
  sorted,
  withSelect,
} from '../../core/model/nxql/index.js'
import { fail } from '../../core/platform/errors/index.js'
import { adHocSession } from '../../core/search/page-providers/index.js'
import { API, type Environment, inListTurn, type RequestContext, refuseForeignWork } from '../edge/index.js'
import { json, routeGroup } from '../openapi/index.js'
import { parseQuery } from '../parse/index.js'
import {
  documentsEntity,
  documentsPage,
  entityResponse,
  pagingParameters,
  pagingQuery,
  type RestServices,
  renderingQuery,
  requireJsonAccepted,
  sortParameters,
  sortQuery,
} from '../rest/index.js'
import { definitionResponse, providerResponse } from './provider.js'
import {
  namedParameters,
  positionalParameters,
  refuseUnknownParameters,
  searchSession,
} from './query-parameters.js'
import {
  aggregateHeaders,
  backendParameters,
  explanation,
  nxqlParameters,
  providerDefinition,
  providerParameters,
  queryParameters,
} from './search.schema.js'

const DEFAULT_QUERY = 'SELECT * FROM Document'

const paged = {
  ...backendParameters.shape,
  ...pagingQuery.shape,
  ...sortQuery.shape,
  ...renderingQuery.shape,
}
const NAMED = 'Every other parameter is a value of `:name` in the query, and refused when there is none.'

const nxql = {
  description: NAMED,
  query: z.object({ ...queryParameters.shape, ...nxqlParameters.shape, ...paged }),
  200: json('A page of documents, or an explanation', z.union([documentsPage, explanation])),
  errors: [403] as const,
}
const provider = {
  description: NAMED,
  query: z.object({
    ...queryParameters.omit({ query: true }).shape,
    ...nxqlParameters.shape,
    ...providerParameters.shape,
    ...paged,
  }),
  header: aggregateHeaders,
  200: json('A page of documents, or an explanation', z.union([documentsPage, explanation])),
  errors: [403] as const,
}

const describeQueries = routeGroup({
  tag: 'queries',
  path: { provider: 'Name of the page provider', language: z.enum(['NXQL']) },
})

export const searchDocs = describeQueries({
  query: ['GET /query', 'Runs a query in NXQL', nxql],
  queryNxql: ['GET /query/NXQL', 'Runs a query in NXQL', nxql],
  search: ['GET /search/execute', 'Runs a query in NXQL', nxql],
  searchInLanguage: ['GET /search/lang/{language}/execute', 'Runs a query in NXQL', nxql],
  queryProvider: [
    'GET /query/{provider}',
    'A page of a provider',
    { ...provider, query: provider.query.extend(queryParameters.shape) },
  ],
  searchProvider: ['GET /search/pp/{provider}/execute', 'A page of a provider', provider],
  getProvider: [
    'GET /search/pp/{provider}',
    'The definition of a page provider',
    { 200: providerDefinition },
  ],
})

/** Queries in NXQL over everything that the caller may browse (rest-documents.md §9). */
export const createSearchRoutes = (services: RestServices): Hono<Environment> => {
  const { renderer } = services
  const sessionOf = (c: RequestContext): Session => searchSession(services, c)

  const execute = async (c: RequestContext): Promise<Response> => {
    requireJsonAccepted(c)
    refuseForeignWork(c)
    const session = adHocSession(sessionOf(c))
    const { query: sent = DEFAULT_QUERY } = parseQuery(c, queryParameters)
    const written = session.searchBackend === 'index' ? withSelect(sent) : sent
    refuseUnknownParameters(c, new Set(namedParametersIn(written)))
    const bound = bindParameters(written, positionalParameters(c, session), namedParameters(c, session))
    const nxql = sorted(parseNxql(bound), sortParameters(c))
    if (parseQuery(c, nxqlParameters).explain === 'true') return c.json(await explainQuery(session, nxql))
    const paging = pagingParameters(c, services.platform.settings.countLimit)
    return inListTurn(c, async () => {
      const page = await searchDocuments(session, nxql, paging)
      return entityResponse(documentsEntity(page, await renderer(c, session).many(page.entries)))
    })
  }
  const routes = new Hono<Environment>()
  for (const path of ['/query', '/query/NXQL', '/search/execute', '/search/lang/NXQL/execute'])
    routes.get(`${API}${path}`, execute)
  routes.get(`${API}/search/lang/:language/execute`, (c) => {
    throw fail('badRequest', `invalid query language: ${c.req.param('language')}`)
  })
  routes.get(`${API}/query/:provider`, (c) => {
    // A query besides the name of a provider replaces the provider's own (rest-documents.md §9).
    if (parseQuery(c, queryParameters).query !== undefined) return execute(c)
    return providerResponse(services, { c, session: sessionOf(c), name: c.req.param('provider') })
  })
  routes.get(`${API}/search/pp/:provider/execute`, (c) =>
    providerResponse(services, { c, session: sessionOf(c), name: c.req.param('provider') }),
  )
  routes.get(`${API}/search/pp/:provider`, (c) => definitionResponse(sessionOf(c), c.req.param('provider')))
  return routes
}
