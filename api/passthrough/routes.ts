import { Hono } from 'hono'
import { z } from 'zod'
import { visualizedModels } from '../../core/automation/routing/model/index.js'
import { fail } from '../../core/platform/errors/index.js'
import { type Passthrough, passEntry, passSearch } from '../../core/search/passthrough/index.js'
import type { Platform } from '../../runtime/index.js'
import type { Environment, RequestContext } from '../edge/index.js'
import { refuseForeignWork } from '../edge/index.js'
import { json, routeGroup } from '../openapi/index.js'
import { bodyOf } from './body.js'

const BASE = '/site/es'

const answer = json('The answer of the search engine, as it is', z.record(z.string(), z.unknown()))
const search = {
  description: 'A body, or `q`, `df`, `default_operator`, `from`, `size`, `sort`, `_source`; no scripts.',
  200: answer,
}

const describePassthrough = routeGroup({
  tag: 'search',
  path: {
    index: 'Names of indexes between commas: of repositories, `_all`, or one that a request filter has',
    type: 'Has no effect: indexes of today have no types',
    document: 'Id of an entry',
  },
  errors: [403, 404, 503],
})

export const passthroughDocs = describePassthrough({
  searchEngineAll: [`GET /${BASE}/_search`, 'Searches all repositories by the address', search],
  searchEngineAllByBody: [
    `POST /${BASE}/_search`,
    "Searches all repositories in the engine's language",
    search,
  ],
  searchEngine: [`GET /${BASE}/{index}/_search`, 'Searches an index by the address', search],
  searchEngineByBody: [`POST /${BASE}/{index}/_search`, "Searches an index in the engine's language", search],
  countEngine: [`GET /${BASE}/{index}/_count`, 'Counts what a search by the address finds', search],
  countEngineByBody: [`POST /${BASE}/{index}/_count`, 'Counts what a search finds', search],
  searchEngineType: [`GET /${BASE}/{index}/{type}/_search`, 'Searches an index by the address', search],
  searchEngineTypeByBody: [
    `POST /${BASE}/{index}/{type}/_search`,
    "Searches an index in the engine's language",
    search,
  ],
  getIndexEntry: [`GET /${BASE}/{index}/{document}`, 'An entry of an index', { 200: answer }],
  getTypedIndexEntry: [`GET /${BASE}/{index}/{type}/{document}`, 'An entry of an index', { 200: answer }],
})

const ID = '[A-Za-z0-9-]+'

/** Searches that clients write for the search engine itself, read-only (nxql-search.md §9.7). */
export const createPassthroughRoutes = ({
  engineSearches: engine,
  repositories,
  settings: { elasticsearch },
  readSession,
}: Pick<Platform, 'engineSearches' | 'repositories' | 'settings' | 'readSession'>): Hono<Environment> => {
  const served = (): Passthrough => {
    if (engine && elasticsearch)
      return { engine, repositories: [...repositories.keys()], prefix: elasticsearch.index }
    throw fail('notFound', 'The database answers searches: ELASTICSEARCH_URL is not set')
  }
  const call = (c: RequestContext) => {
    refuseForeignWork(c)
    const session = readSession(c.get('principal'))
    return {
      index: c.req.param('index') ?? '',
      caller: { ...session, visualizedModels: visualizedModels(session) },
    }
  }
  const search = async (c: RequestContext): Promise<Response> => {
    const parameters = new Map(Object.entries(c.req.query()))
    const body = await bodyOf(c)
    return c.json(await passSearch(served(), { ...call(c), search: { body, parameters } }))
  }
  const count = async (c: RequestContext): Promise<Response> => {
    const parameters = new Map([
      ...Object.entries(c.req.query()),
      ['size', '0'],
      ['track_total_hits', 'true'],
    ])
    const body = await bodyOf(c)
    const found = await passSearch(served(), { ...call(c), search: { body, parameters } })
    const { total } = found.hits as { total: number }
    return c.json({ count: total, _shards: found._shards })
  }
  const entry = async (c: RequestContext): Promise<Response> =>
    c.json(await passEntry(served(), { ...call(c), id: c.req.param('document') ?? '' }))

  const routes = new Hono<Environment>()
  for (const place of [BASE, `${BASE}/:index`, `${BASE}/:index/:type`])
    routes.on(['GET', 'POST'], `${place}/_search`, search)
  routes.on(['GET', 'POST'], `${BASE}/:index/_count`, count)
  routes.get(`${BASE}/:index/:document{${ID}}`, entry).get(`${BASE}/:index/:type/:document{${ID}}`, entry)
  return routes
}
