import { Hono } from 'hono'
import { explainQuery, queryDocuments, type Session } from '../../core/content/documents/index.js'
import { bindParameters, parseNxql, sorted } from '../../core/model/nxql/index.js'
import { fail } from '../../core/platform/errors/index.js'
import type { Environment, RequestContext } from '../environment.js'
import { parseQuery } from '../parse/index.js'
import {
  documentsEntity,
  entityResponse,
  pagingParameters,
  type RestServices,
  requireJsonAccepted,
  sortParameters,
} from '../rest/index.js'
import { answerDefinition, answerProvider } from './provider.js'
import { namedParameters, positionalParameters } from './query-parameters.js'
import { nxqlParameters, queryParameters } from './search.schema.js'

const API = '/api/v1'
const DEFAULT_QUERY = 'SELECT * FROM Document'

/** Queries in NXQL over everything that the caller may browse (rest-documents.md §9). */
export const createSearchRoutes = (services: RestServices): Hono<Environment> => {
  const { platform, renderer } = services
  const sessionOf = (c: RequestContext): Session => platform.readSession(c.get('principal'))

  const execute = async (c: RequestContext): Promise<Response> => {
    requireJsonAccepted(c)
    const session = sessionOf(c)
    const { query: written = DEFAULT_QUERY } = parseQuery(c, queryParameters)
    const bound = bindParameters(written, positionalParameters(c, session), namedParameters(c, session))
    const nxql = sorted(parseNxql(bound), sortParameters(c))
    if (parseQuery(c, nxqlParameters).explain === 'true') return c.json(await explainQuery(session, nxql))
    const page = await queryDocuments(session, nxql, pagingParameters(c))
    return entityResponse(documentsEntity(page, await renderer(c, session).many(page.entries)))
  }
  const routes = new Hono<Environment>()
  for (const path of ['/query', '/query/NXQL', '/search/execute', '/search/lang/NXQL/execute'])
    routes.get(`${API}${path}`, execute)
  routes.get(`${API}/search/lang/:language/execute`, (c) => {
    throw fail('badRequest', `invalid query language: ${c.req.param('language')}`)
  })
  routes.get(`${API}/query/:provider`, (c) => {
    // A query beside the name of a provider takes the place of the provider's own (rest-documents.md §9).
    if (parseQuery(c, queryParameters).query !== undefined) return execute(c)
    return answerProvider(services, { c, session: sessionOf(c), name: c.req.param('provider') })
  })
  routes.get(`${API}/search/pp/:provider/execute`, (c) =>
    answerProvider(services, { c, session: sessionOf(c), name: c.req.param('provider') }),
  )
  routes.get(`${API}/search/pp/:provider`, (c) => answerDefinition(sessionOf(c), c.req.param('provider')))
  return routes
}
