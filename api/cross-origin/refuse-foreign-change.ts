import { ALLOW_NULL_ORIGIN, corsRegistry, refuseForeign } from '../../core/access/cross-origin/index.js'
import { isPropertyTrue } from '../../core/platform/configuration/index.js'
import type { Platform } from '../../runtime/index.js'
import { type RequestContext, rawPath } from '../edge/index.js'
import { callOriginOf } from './call-origin.js'

/**
 * For a GET that changes something, as the reference platform has some: a page of another site may neither call it nor
 * lead a browser to it, as with unsafe methods.
 *
 * @throws forbidden.
 */
export const refuseForeignChange = (
  c: RequestContext,
  { snapshot, settings: { http } }: Pick<Platform, 'snapshot' | 'settings'>,
): void => {
  const { contributions, get } = snapshot()
  const rules = get(corsRegistry)
  const call = callOriginOf(c, { method: c.req.method, publicUrl: http.publicUrl })
  const isForeign = call.origin !== undefined && !call.isOwn
  const rule = isForeign || rules.isStrict ? rules.of(rawPath(c.req.url)) : undefined
  refuseForeign(call, { rule, allowsOpaque: isPropertyTrue(contributions, ALLOW_NULL_ORIGIN) })
}
