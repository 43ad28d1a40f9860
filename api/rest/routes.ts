import { Hono } from 'hono'
import { API, type Environment } from '../edge/index.js'
import { type Adapter, type AdapterEngine, createAdapters } from './adapters/index.js'
import { dispatchDocument } from './dispatch.js'
import { createDocumentHandlers } from './document-handlers.js'
import type { RestServices } from './rendering/index.js'
import { parseIdTarget, parsePathTarget } from './requests/index.js'

/**
 * Documents and their adapters: `/id/…` and `/path…`.
 *
 * @param adapters of other protocols, besides those of this folder.
 */
export const createDocumentRoutes = (
  services: RestServices,
  { adapters, engine }: { adapters: readonly Adapter[]; engine?: AdapterEngine },
): Hono<Environment> => {
  const document = createDocumentHandlers(services, engine)
  const byName = new Map(
    [...createAdapters(services, engine), ...adapters].map((adapter) => [adapter.name, adapter]),
  )
  const onId = dispatchDocument({ prefix: `${API}/id`, parse: parseIdTarget, document, adapters: byName })
  const onPath = dispatchDocument({
    prefix: `${API}/path`,
    parse: parsePathTarget,
    document,
    adapters: byName,
  })
  const routes = new Hono<Environment>()
  for (const [prefix, handler] of [
    ['id', onId],
    ['path', onPath],
  ] as const) {
    routes.all(`${API}/${prefix}`, handler)
    routes.all(`${API}/${prefix}/*`, handler)
  }
  return routes
}
