import { type ArchivoltError, fail } from '../../platform/errors/index.js'
import type { CorsRule } from './cors-rules.js'

/** What a browser says about where a call comes from; other clients say none of it. */
export type CallOrigin = {
  method: string
  /** The origin of the page that calls, of `Origin`, else of `Referer`. */
  origin: string | undefined
  /** `Sec-Fetch-Site`. */
  site: string | undefined
  /** Whether the origin is this server's. */
  isOwn: boolean
  /** Whether the call has credentials that a browser adds by itself: a password that it remembers, or a cookie. */
  hasAmbientCredentials: boolean
}

/** A sandboxed page, or one that a redirection led elsewhere. */
const OPAQUE = 'null'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])
const OWN_SITES = new Set(['same-origin', 'none'])

const refusal = ({ method, origin, site }: CallOrigin, reason: string): ArchivoltError =>
  fail('forbidden', `CSRF check failure: ${method} from ${origin ?? `a ${site} page`} is refused: ${reason}`)

const FOREIGN =
  'it comes from another origin than ARCHIVOLT_PUBLIC_URL or the host asked, which no corsConfig allows'

/**
 * Refuses calls that another site may have led a browser to make (security.md §10): unsafe methods from a foreign
 * page that no rule allows.
 *
 * @param options.rule what the deployment says about the path.
 * @throws forbidden.
 */
export const refuseForgery = (
  call: CallOrigin,
  { rule, allowsOpaque }: { rule: CorsRule | undefined; allowsOpaque: boolean },
): void => {
  const { method, origin, site, isOwn } = call
  if (SAFE_METHODS.has(method)) return
  if (origin === undefined || isOwn) {
    if (site !== undefined && !OWN_SITES.has(site)) throw refusal(call, FOREIGN)
    return
  }
  if (origin === OPAQUE && allowsOpaque) return
  if (!rule?.allows(origin)) throw refusal(call, FOREIGN)
  // Such a page may call as nobody, or with a token of its own.
  if (!rule.supportsCredentials && call.hasAmbientCredentials)
    throw refusal(call, `corsConfig ${rule.name} does not support credentials`)
}

/** @throws forbidden when a rule about the path does not take the call. */
export const requireAllowed = ({ method, origin }: CallOrigin, rule: CorsRule): void => {
  if (origin === undefined || !rule.allows(origin))
    throw fail(
      'forbidden',
      `CORS: the origin ${origin ?? '(none)'} is not allowed by corsConfig ${rule.name}`,
    )
  if (!rule.methods.includes(method))
    throw fail('forbidden', `CORS: the method ${method} is not allowed by corsConfig ${rule.name}`)
}

/** @throws forbidden when a rule does not take one of the headers that a preflight asks for. */
export const requireAllowedHeaders = (headers: readonly string[], rule: CorsRule): void => {
  const refused = headers.find((header) => rule.headers?.includes(header.toLowerCase()) === false)
  if (refused !== undefined)
    throw fail('forbidden', `CORS: the header ${refused} is not allowed by corsConfig ${rule.name}`)
}
