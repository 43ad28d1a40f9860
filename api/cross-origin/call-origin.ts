import type { CallOrigin } from '../../core/access/cross-origin/index.js'
import type { RequestContext } from '../edge/index.js'

const originOf = (address: string | undefined): string | undefined =>
  address !== undefined && URL.canParse(address) ? new URL(address).origin : undefined

/** Whether an origin is the host that was asked: a proxy may have taken the scheme away, not the browser's host. */
const isHostAsked = (origin: string, host: string): boolean => {
  const [scheme, rest] = origin.split('://')
  // That of a sandboxed page or a form without a referrer is the word "null", which is nobody's.
  return rest !== undefined && originOf(`${scheme}://${host}`) === origin
}

/** A browser adds these by itself; a token in `Authorization` is a script's own. */
const hasAmbientCredentials = (c: RequestContext): boolean => {
  const authorization = c.req.header('Authorization')
  const isOfBrowser = authorization !== undefined && !/^bearer /i.test(authorization)
  return isOfBrowser || c.req.header('Cookie') !== undefined
}

/** Where a call comes from, by the headers that browsers write and scripts cannot. */
export const callOriginOf = (
  c: RequestContext,
  { method, publicUrl }: { method: string; publicUrl: string | undefined },
): CallOrigin => {
  const origin = c.req.header('Origin')?.toLowerCase() ?? originOf(c.req.header('Referer'))
  const host = c.req.header('Host') ?? new URL(c.req.url).host
  return {
    method,
    origin,
    site: c.req.header('Sec-Fetch-Site'),
    isFetch: c.req.header('Origin') !== undefined,
    isNavigation:
      c.req.header('Sec-Fetch-Mode') === 'navigate' &&
      (c.req.header('Sec-Fetch-Dest') ?? 'document') === 'document',
    isOwn: origin !== undefined && (origin === originOf(publicUrl) || isHostAsked(origin, host)),
    hasAmbientCredentials: hasAmbientCredentials(c),
  }
}
