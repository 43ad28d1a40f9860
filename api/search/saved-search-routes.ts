import { Hono } from 'hono'
import { z } from 'zod'
import type { Session } from '../../core/content/documents/index.js'
import { fail, ifFound } from '../../core/platform/errors/index.js'
import {
  createSavedSearch,
  executeSavedSearch,
  findSavedSearches,
  getSavedSearch,
  removeSavedSearch,
  type SavedSearch,
  type SavedSearchContent,
  savedSearchParameters,
  updateSavedSearch,
} from '../../core/search/saved-searches/index.js'
import { API, type Environment, inListTurn, type RequestContext, refuseForeignWork } from '../edge/index.js'
import { idempotencyHeader } from '../idempotency/index.js'
import { routeGroup } from '../openapi/index.js'
import { parseInput, parseQuery } from '../parse/index.js'
import {
  documentsEntity,
  documentsPage,
  entityResponse,
  pagingParameters,
  pagingQuery,
  type RestServices,
  readJson,
  renderingQuery,
  requireJsonAccepted,
  sortQuery,
  writeOnce,
} from '../rest/index.js'
import { pageRequest, pageResponse } from './provider.js'
import { refuseUnknownParameters, searchSession } from './query-parameters.js'
import {
  savedSearchEntity,
  savedSearchesPage,
  savedSearchFilter,
  savedSearchRequest,
} from './saved-search.schema.js'
import { savedSearchEntities } from './saved-search-entity.js'
import { backendParameters, providerParameters, queryParameters } from './search.schema.js'

const SAVED = `${API}/search/saved`

const describeSavedSearches = routeGroup({ tag: 'saved searches', path: { id: 'Id of the saved search' } })
const body = savedSearchRequest
/** The response for a search that does not exist for the caller has no body (nxql-search.md §10). */
const missing = { 404: 'It does not exist for the caller' }

export const savedSearchDocs = describeSavedSearches({
  listSavedSearches: [
    'GET /search/saved',
    'The saved searches that the caller may read, by title',
    { query: savedSearchFilter.extend(pagingQuery.shape), 200: savedSearchesPage },
  ],
  createSavedSearch: [
    'POST /search/saved',
    "Saves a search in the caller's own workspace",
    { header: idempotencyHeader, body, 200: savedSearchEntity, isOwn: true },
  ],
  getSavedSearch: [
    'GET /search/saved/{id}',
    'A saved search',
    {
      description: 'The header `properties` adds properties of its document.',
      200: savedSearchEntity,
      ...missing,
    },
  ],
  updateSavedSearch: [
    'PUT /search/saved/{id}',
    'Replaces the saved search',
    { body, 200: savedSearchEntity, ...missing },
  ],
  deleteSavedSearch: [
    'DELETE /search/saved/{id}',
    'Removes a saved search',
    { 204: 'It is removed', ...missing },
  ],
  executeSavedSearch: [
    'GET /search/saved/{id}/execute',
    'A page of the results of a saved search, with the rights of the caller',
    {
      description:
        'Paging, order and parameters of the request take precedence over the saved ones. Every other parameter is a value of `:name` in the search, and refused when there is none.',
      query: z.object({
        ...backendParameters.shape,
        ...queryParameters.omit({ query: true }).shape,
        ...providerParameters.shape,
        ...pagingQuery.shape,
        ...sortQuery.shape,
        ...renderingQuery.shape,
      }),
      200: documentsPage,
      ...missing,
    },
  ],
})

/** Saved searches of users (nxql-search.md §10). */
export const createSavedSearchRoutes = (services: RestServices): Hono<Environment> => {
  const { platform } = services
  const { maxJsonBytes } = platform.settings.http
  const readSession = (c: RequestContext): Session => platform.readSession(c.get('principal'))

  const contentIn = async (c: RequestContext): Promise<SavedSearchContent> => {
    const { title, ...content } = parseInput(savedSearchRequest, await readJson(c, maxJsonBytes))
    if (title === null) throw fail('badRequest', 'title: is missing')
    return { ...content, title }
  }

  const answer = async (c: RequestContext, search: SavedSearch): Promise<Response> => {
    const [entity] = await savedSearchEntities(services.renderer(c, readSession(c)), [search])
    return entityResponse(entity!)
  }

  const found = (c: RequestContext, session: Session): Promise<SavedSearch | undefined> =>
    ifFound(getSavedSearch(session, c.req.param('id') ?? ''))

  const nothing = (c: RequestContext): Response => c.body(null, 404)

  const routes = new Hono<Environment>()

  routes.get(SAVED, async (c) => {
    requireJsonAccepted(c)
    const session = readSession(c)
    const { pageProvider } = parseQuery(c, savedSearchFilter)
    const page = await findSavedSearches(session, { ...pagingParameters(c), pageProvider })
    const entries = await savedSearchEntities(services.renderer(c, session), page.entries)
    return entityResponse({ ...documentsEntity(page, entries), 'entity-type': 'savedSearches' })
  })

  routes.post(SAVED, async (c) => {
    const content = await contentIn(c)
    const search = await writeOnce(
      { c, platform },
      { asked: () => content, find: getSavedSearch },
      (session) => createSavedSearch(session, content),
    )
    return answer(c, search)
  })

  routes.get(`${SAVED}/:id`, async (c) => {
    requireJsonAccepted(c)
    const search = await found(c, readSession(c))
    return search ? answer(c, search) : nothing(c)
  })

  routes.put(`${SAVED}/:id`, async (c) => {
    const content = await contentIn(c)
    const search = await platform.withSession(c.get('principal'), async (session) => {
      const saved = await found(c, session)
      return saved && updateSavedSearch(session, saved, content)
    })
    return search ? answer(c, search) : nothing(c)
  })

  routes.delete(`${SAVED}/:id`, async (c) => {
    const search = await platform.withSession(c.get('principal'), async (session) => {
      const saved = await found(c, session)
      if (saved) await removeSavedSearch(session, saved)
      return saved
    })
    return search ? c.body(null, 204) : nothing(c)
  })

  routes.get(`${SAVED}/:id/execute`, async (c) => {
    requireJsonAccepted(c)
    refuseForeignWork(c)
    const session = searchSession(services, c)
    const search = await found(c, session)
    if (!search) return nothing(c)
    refuseUnknownParameters(c, savedSearchParameters(session, search))
    const { maxResults } = pagingParameters(c)
    const request = { ...pageRequest({ c, session, countLimit: platform.settings.countLimit }), maxResults }
    return inListTurn(c, async () => {
      const page = await executeSavedSearch(session, search, request)
      return pageResponse(services, { c, session, page })
    })
  })

  return routes
}
