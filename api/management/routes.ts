import { Hono } from 'hono'
import { getDocument } from '../../core/content/documents/index.js'
import type { IndexSides } from '../../core/content/stores/index.js'
import { fail } from '../../core/platform/errors/index.js'
import {
  driftOf,
  indexingStatus,
  reindex,
  requestRebuild,
  retryFailures,
} from '../../core/search/indexing/index.js'
import type { Platform } from '../../runtime/index.js'
import { API, type Environment, type RequestContext } from '../edge/index.js'
import { routeGroup } from '../openapi/index.js'
import { parseQuery } from '../parse/index.js'
import { driftEntity, driftQuery, failuresEntity, indexingStatusEntity } from './management.schema.js'

const PLACE = '/management/elasticsearch'

const describeIndexing = routeGroup({
  tag: 'search',
  path: { document: 'Its id' },
  errors: [403, 404, 503],
})

export const managementDocs = describeIndexing({
  getSearchIndexing: [`GET ${PLACE}`, 'The indexes, for administrators', { 200: indexingStatusEntity }],
  rebuildSearchIndex: [
    `POST ${PLACE}/reindex`,
    'Builds a new index in the background, which then takes the place of the one before',
    { 202: indexingStatusEntity, errors: [409] },
  ],
  reindexDocument: [
    `POST ${PLACE}/{document}/reindex`,
    'Indexes a document anew, with all that is below it',
    { 204: 'It is indexed' },
  ],
  listSearchFailures: [
    `GET ${PLACE}/failures`,
    'Documents that the search engine has refused, the first 500',
    { 200: failuresEntity },
  ],
  retrySearchFailures: [
    `POST ${PLACE}/failures/retry`,
    'Indexes them again, and lists what is refused still',
    { 200: failuresEntity },
  ],
  compareSearchIndex: [
    `POST ${PLACE}/drift`,
    'Compares the index with the repository',
    { query: driftQuery, 200: driftEntity, errors: [409] },
  ],
})

const FIRST = { limit: 500, offset: 0 }
const NONE = { entries: [], total: 0 }

/** The search index for operators (nxql-search.md §9.4). */
export const createManagementRoutes = ({
  indexing,
  repository,
  readSession,
}: Pick<Platform, 'indexing' | 'repository' | 'readSession'>): Hono<Environment> => {
  /** Undefined where the repository answers searches itself. */
  const knownFor = (c: RequestContext): IndexSides | undefined => {
    if (!c.get('principal').isAdministrator)
      throw fail('forbidden', 'Unauthorized access: only administrators may manage the search index')
    return indexing.get(repository)
  }
  const sidesFor = (c: RequestContext): IndexSides => {
    const sides = knownFor(c)
    if (!sides) throw fail('notFound', 'The database answers searches: ELASTICSEARCH_URL is not set')
    return sides
  }
  const status = async (sides: IndexSides | undefined) => ({
    'entity-type': 'searchIndexing',
    ...(sides ? await indexingStatus(sides) : { indexes: [], failures: 0 }),
  })
  const routes = new Hono<Environment>()
  const at = `${API}${PLACE}`

  routes.get(at, async (c) => c.json(await status(knownFor(c))))
  routes.post(`${at}/reindex`, async (c) => {
    const sides = sidesFor(c)
    await requestRebuild(sides)
    return c.json(await status(sides), 202)
  })
  routes.get(`${at}/failures`, async (c) =>
    c.json({ 'entity-type': 'searchFailures', ...((await knownFor(c)?.feed.failures(FIRST)) ?? NONE) }),
  )
  routes.post(`${at}/failures/retry`, async (c) =>
    c.json({ 'entity-type': 'searchFailures', ...(await retryFailures(sidesFor(c))) }),
  )
  routes.post(`${at}/drift`, async (c) => {
    const { repair = false } = parseQuery(c, driftQuery)
    return c.json({ 'entity-type': 'searchDrift', ...(await driftOf(sidesFor(c), { isRepairing: repair })) })
  })
  routes.post(`${at}/:document/reindex`, async (c) => {
    const sides = sidesFor(c)
    const { id } = await getDocument(readSession(c.get('principal')), c.req.param('document'))
    await reindex(sides, [id], { isDeep: true })
    return c.body(null, 204)
  })
  return routes
}
