import { createHash } from 'node:crypto'
import { Hono } from 'hono'
import { LRUCache } from 'lru-cache'
import type { z } from 'zod'
import type { Platform } from '../../runtime/index.js'
import { API, type Environment, type RequestContext } from '../edge/index.js'
import { type Description, describeRoutes } from './describe.js'
import { type FurtherPaths, openapiDocument } from './document.js'
import { referencePage } from './reference/index.js'
import type { RouteDoc } from './route-doc.js'

type Written = { body: string; etag: string }

/** Maximum of cached documents: each contains its address, which callers choose. */
const MAX_ADDRESSES = 8

const write = (document: object): Written => {
  const body = JSON.stringify(document)
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"` }
}

const isKnown = (header: string | undefined, etag: string): boolean =>
  (header ?? '').split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)

/**
 * `/api/v1/openapi.json`: the API as OpenAPI 3.1, for authenticated callers; `/api/v1/reference` shows it as pages. It is rebuilt when the content model
 * or the further paths change.
 *
 * @param docs of every route that is served.
 * @param components schemas that properties of documents refer to.
 * @param further paths beside those of the routes: the same object until they change.
 * @param baseOf address of the server as a caller reached it, with the context path.
 */
export const createOpenapiRoutes = ({
  platform,
  docs,
  components,
  further,
  baseOf,
}: {
  platform: Pick<Platform, 'snapshot' | 'repositories'>
  docs: readonly RouteDoc[]
  components: readonly z.ZodType[]
  further?: (() => Promise<FurtherPaths>) | undefined
  baseOf(c: RequestContext): string
}): Hono<Environment> => {
  const repositories = [...platform.repositories.keys()]
  let description: Description | undefined
  let latest: { model: object; more: FurtherPaths | undefined; byBase: LRUCache<string, Written> } | undefined

  const documentAt = async (base: string): Promise<Written> => {
    const more = await further?.()
    const { model } = platform.snapshot()
    if (latest?.model !== model || latest.more !== more)
      latest = { model, more, byBase: new LRUCache({ max: MAX_ADDRESSES }) }
    const { byBase } = latest
    const known = byBase.get(base)
    if (known) return known
    description ??= describeRoutes(docs, components)
    const made = write(
      openapiDocument(description, { model, base, repositories, ...(more && { further: more }) }),
    )
    byBase.set(base, made)
    return made
  }

  const routes = new Hono<Environment>()
  routes.get(`${API}/openapi.json`, async (c) => {
    const { body, etag } = await documentAt(baseOf(c))
    const headers = { ETag: etag, 'Cache-Control': 'private, no-cache' }
    if (isKnown(c.req.header('If-None-Match'), etag)) return c.body(null, 304, headers)
    return c.body(body, 200, { ...headers, 'Content-Type': 'application/json; charset=UTF-8' })
  })
  routes.get(`${API}/reference`, async (c) => {
    const base = baseOf(c)
    const { body } = await documentAt(base)
    return referencePage(c, { base, described: JSON.parse(body) })
  })
  return routes
}
