import { type Handler, Hono } from 'hono'
import { queryDocuments } from '../../core/documents/index.js'
import { fail } from '../../core/errors/index.js'
import { bindParameters } from '../../core/nxql/index.js'
import type { Environment, RequestContext } from '../environment.js'
import {
  documentsEntity,
  entityResponse,
  orderBy,
  pagingParameters,
  type RestServices,
  requireJsonAccepted,
  sortParameters,
} from '../rest/index.js'
import { namedParameters, positionalParameters } from './query-parameters.js'

const API = '/api/v1'
const DEFAULT_QUERY = 'SELECT * FROM Document'

/** The caller's order takes the place of the one in the query, which begins at its last ORDER BY. */
const sorted = (c: RequestContext, query: string): string => {
  const sort = sortParameters(c)
  if (!sort) return query
  return `${query.replace(/\sORDER\s+BY\s+[\w:/*.,\s-]+$/i, '')} ${orderBy(sort)}`
}

/** Queries in NXQL over everything that the caller may browse (rest-documents.md §9). */
export const createSearchRoutes = ({ platform, renderer }: RestServices): Hono<Environment> => {
  const execute: Handler<Environment> = async (c) => {
    requireJsonAccepted(c)
    const session = platform.readSession(c.get('principal'))
    const written = c.req.query('query')?.trim() || DEFAULT_QUERY
    const nxql = bindParameters(
      sorted(c, written),
      positionalParameters(c, session),
      namedParameters(c, session),
    )
    const { maxResults, ...paging } = pagingParameters(c)
    const page = await queryDocuments(session, nxql, paging)
    const isCut = maxResults !== undefined && maxResults > 0 && page.resultsCount > maxResults
    const resultsCount = isCut ? maxResults : page.resultsCount
    const entries = page.entries.slice(0, Math.max(0, resultsCount - page.offset))
    return entityResponse(
      documentsEntity({ ...page, resultsCount }, await renderer(c, session).many(entries)),
    )
  }
  const routes = new Hono<Environment>()
  for (const path of ['/query', '/query/NXQL', '/search/execute', '/search/lang/NXQL/execute'])
    routes.get(`${API}${path}`, execute)
  routes.get(`${API}/search/lang/:language/execute`, (c) => {
    throw fail('badRequest', `invalid query language: ${c.req.param('language')}`)
  })
  routes.get(`${API}/query/:provider`, (c) => {
    throw fail('notFound', `Could not resolve page provider with name '${c.req.param('provider')}'`)
  })
  return routes
}
