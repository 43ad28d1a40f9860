import { createHash } from 'node:crypto'
import { Hono } from 'hono'
import type { z } from 'zod'
import type { Platform } from '../../storage/platform/index.js'
import type { Environment, RequestContext } from '../environment.js'
import { type Description, describeRoutes } from './describe.js'
import { openapiDocument } from './document.js'
import type { RouteDoc } from './route-doc.js'

type Written = { body: string; etag: string }

/** The address stands in the document and is the caller's to choose, so that few are remembered. */
const MAX_ADDRESSES = 8

const write = (document: object): Written => {
  const body = JSON.stringify(document)
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"` }
}

const isKnown = (header: string | undefined, etag: string): boolean =>
  (header ?? '').split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)

/**
 * `/api/v1/openapi.json`: the API as OpenAPI 3.1, for whoever is authenticated. It is written anew when another
 * content model comes into force.
 *
 * @param docs of every route that is served.
 * @param components schemas that properties of documents refer to.
 * @param baseOf address of the server as a caller reached it, with the context path.
 */
export const createOpenapiRoutes = ({
  platform,
  docs,
  components,
  baseOf,
}: {
  platform: Pick<Platform, 'snapshot' | 'repositories'>
  docs: readonly RouteDoc[]
  components: readonly z.ZodType[]
  baseOf(c: RequestContext): string
}): Hono<Environment> => {
  const repositories = [...platform.repositories.keys()]
  let description: Description | undefined
  const written = new WeakMap<object, Map<string, Written>>()

  const documentAt = (base: string): Written => {
    const { model } = platform.snapshot()
    const byBase = written.get(model) ?? new Map<string, Written>()
    written.set(model, byBase)
    const known = byBase.get(base)
    if (known) return known
    description ??= describeRoutes(docs, components)
    const made = write(openapiDocument(description, { model, base, repositories }))
    if (byBase.size >= MAX_ADDRESSES) byBase.clear()
    byBase.set(base, made)
    return made
  }

  const routes = new Hono<Environment>()
  routes.get('/api/v1/openapi.json', (c) => {
    const { body, etag } = documentAt(baseOf(c))
    const headers = { ETag: etag, 'Cache-Control': 'private, no-cache' }
    if (isKnown(c.req.header('If-None-Match'), etag)) return c.body(null, 304, headers)
    return c.body(body, 200, { ...headers, 'Content-Type': 'application/json; charset=UTF-8' })
  })
  return routes
}
