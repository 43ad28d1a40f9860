import type { MiddlewareHandler } from 'hono'
import {
  ALLOW_NULL_ORIGIN,
  type CorsRule,
  corsRegistry,
  refusalOfWork,
  refuseForgery,
  requireAllowed,
  requireAllowedHeaders,
} from '../../core/access/cross-origin/index.js'
import { isPropertyTrue } from '../../core/platform/configuration/index.js'
import type { Platform } from '../../runtime/index.js'
import { type Environment, type RequestContext, rawPath, routedPath } from '../edge/index.js'
import { callOriginOf } from './call-origin.js'
import { codecRuleOf } from './codec-rule.js'

export { refuseForeignChange } from './refuse-foreign-change.js'

const allowOrigin = (c: RequestContext, origin: string, rule: CorsRule): void => {
  c.header('Access-Control-Allow-Origin', origin)
  if (rule.supportsCredentials) c.header('Access-Control-Allow-Credentials', 'true')
  if (rule.exposedHeaders.length > 0)
    c.header('Access-Control-Expose-Headers', rule.exposedHeaders.join(', '))
}

const answerPreflight = (c: RequestContext, origin: string, rule: CorsRule): Response => {
  const wanted = c.req.header('Access-Control-Request-Headers')
  const headers = (wanted ?? '').split(',').flatMap((header) => header.trim() || [])
  requireAllowedHeaders(headers, rule)
  c.header('Vary', 'Origin')
  allowOrigin(c, origin, rule)
  c.header('Access-Control-Allow-Methods', rule.methods.join(', '))
  if (wanted !== undefined) c.header('Access-Control-Allow-Headers', wanted)
  if (rule.maxAge >= 0) c.header('Access-Control-Max-Age', String(rule.maxAge))
  return c.body(null, 200)
}

const SAFE_METHODS = new Set(['GET', 'HEAD'])

/**
 * Calls from pages of other origins: refuses those that somebody else's page may have led a browser to make, and
 * answers and marks those that the deployment allows (`corsConfig`). Before the authentication, which preflights
 * do not have.
 *
 * @throws forbidden.
 */
export const crossOrigin = ({
  snapshot,
  settings: { http, temporal },
}: Pick<Platform, 'snapshot' | 'settings'>): MiddlewareHandler<Environment> => {
  const codecRule = codecRuleOf(temporal.uiUrl)
  return async (c, next) => {
    const { contributions, get } = snapshot()
    const rules = get(corsRegistry)
    const isSafe = SAFE_METHODS.has(c.req.method)
    const mayBeForeign =
      c.req.header('Sec-Fetch-Site') === 'cross-site' || c.req.header('Origin') !== undefined
    if (rules.isEmpty && isSafe && !mayBeForeign) return await next()

    const asked = c.req.method === 'OPTIONS' ? c.req.header('Access-Control-Request-Method') : undefined
    const call = callOriginOf(c, { method: asked ?? c.req.method, publicUrl: http.publicUrl })
    const isForeign = call.origin !== undefined && !call.isOwn
    const own = isForeign ? codecRule(routedPath(c.req.url)) : undefined
    const rule = own ?? (isForeign || rules.isStrict ? rules.of(rawPath(c.req.url)) : undefined)
    const allowed = { rule, allowsOpaque: isPropertyTrue(contributions, ALLOW_NULL_ORIGIN) }
    if (asked === undefined) refuseForgery(call, allowed)
    if (isSafe) c.set('refusalOfWork', refusalOfWork(call, allowed))

    const origin = isForeign ? c.req.header('Origin')?.toLowerCase() : undefined
    if (rule && (origin !== undefined || !rule.allowGenericHttpRequests))
      requireAllowed({ ...call, origin }, rule)
    if (rule && asked !== undefined && origin !== undefined) return answerPreflight(c, origin, rule)
    await next()
    if (!rules.isEmpty) c.header('Vary', 'Origin', { append: true })
    if (rule && origin !== undefined) allowOrigin(c, origin, rule)
  }
}
