import { Hono } from 'hono'
import type { BlobCollections, CollectionReport } from '../../core/files/blobs/index.js'
import { fail } from '../../core/platform/errors/index.js'
import { API, type Environment, type RequestContext } from '../edge/index.js'
import { routeGroup } from '../openapi/index.js'
import { parseQuery } from '../parse/index.js'
import { collectionQuery, collectionStatusEntity } from './management.schema.js'

const PLACE = '/management/blobs/orphaned'

const describeBlobs = routeGroup({ tag: 'files', path: {}, errors: [403, 503] })

export const blobManagementDocs = describeBlobs({
  collectBlobs: [
    `DELETE ${PLACE}`,
    'Removes files that nothing names, as a run in the background, or counts them',
    { query: collectionQuery, 200: collectionStatusEntity, errors: [409] },
  ],
  getBlobCollection: [
    `GET ${PLACE}`,
    'The collection of files that was started last, for administrators',
    { 200: collectionStatusEntity },
  ],
})

/** Counts by the names of the reference platform. */
const statusOf = ({ state, startedAt, closedAt, collected, failure }: CollectionReport) => ({
  'entity-type': 'blobCollection',
  state,
  startedAt: startedAt.toISOString(),
  ...(closedAt && { closedAt: closedAt.toISOString() }),
  ...(collected && {
    gcDuration: collected.durationMs,
    numBinaries: collected.kept.blobs,
    sizeBinaries: collected.kept.bytes,
    numBinariesGC: collected.blobs,
    sizeBinariesGC: collected.bytes,
  }),
  ...(failure !== undefined && { failure }),
})

/** The collection of files that nothing names, for operators (blobs-conversions.md §6). */
export const createBlobManagementRoutes = (collections: BlobCollections): Hono<Environment> => {
  const requireAdministrator = (c: RequestContext): void => {
    if (!c.get('principal').isAdministrator)
      throw fail('forbidden', 'Unauthorized access: only administrators may manage stored files')
  }
  const routes = new Hono<Environment>()
  const at = `${API}${PLACE}`
  routes.delete(at, async (c) => {
    requireAdministrator(c)
    const { dryRun = false } = parseQuery(c, collectionQuery)
    await collections.start({ isDryRun: dryRun })
    return c.json(statusOf({ state: 'RUNNING', startedAt: new Date() }))
  })
  routes.get(at, async (c) => {
    requireAdministrator(c)
    const report = await collections.latest()
    return c.json(report ? statusOf(report) : { 'entity-type': 'blobCollection', state: 'NONE' })
  })
  return routes
}
