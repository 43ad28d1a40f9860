import { type ArchivoltError, fail } from '../../platform/errors/index.js'
import type { CorsRule } from './cors-rules.js'

/** What a browser says about where a call comes from; other clients say none of it. */
export type CallOrigin = {
  method: string
  /** The origin of the page that calls, of `Origin`, else of `Referer`. */
  origin: string | undefined
  /** `Sec-Fetch-Site`. */
  site: string | undefined
  /** Whether it has `Origin`, which a browser adds to safe calls of scripts, and never to links. */
  isFetch: boolean
  /** Whether the browser shows the answer in a window of its own, by `Sec-Fetch-Mode` and `Sec-Fetch-Dest`. */
  isNavigation: boolean
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

/** @property rule what the deployment says about the path. */
type Allowed = { rule: CorsRule | undefined; allowsOpaque: boolean }

/** Why a page may not lead a browser to make a call; undefined when it may. */
const objectionTo = (
  { origin, site, isOwn, hasAmbientCredentials }: CallOrigin,
  { rule, allowsOpaque }: Allowed,
): string | undefined => {
  if (origin === undefined || isOwn) return site === undefined || OWN_SITES.has(site) ? undefined : FOREIGN
  if (origin === OPAQUE && allowsOpaque) return undefined
  if (!rule?.allows(origin)) return FOREIGN
  // Such a page may call as nobody, or with a token of its own.
  return !rule.supportsCredentials && hasAmbientCredentials
    ? `corsConfig ${rule.name} does not support credentials`
    : undefined
}

/**
 * Refuses calls of a foreign page that no rule allows, whatever their method: for what changes something.
 *
 * @throws forbidden.
 */
export const refuseForeign = (call: CallOrigin, allowed: Allowed): void => {
  const objection = objectionTo(call, allowed)
  if (objection !== undefined) throw refusal(call, objection)
}

/**
 * Refuses calls that another site may have led a browser to make (security.md §10): unsafe methods from a foreign
 * page that no rule allows.
 *
 * @throws forbidden.
 */
export const refuseForgery = (call: CallOrigin, allowed: Allowed): void => {
  if (!SAFE_METHODS.has(call.method)) refuseForeign(call, allowed)
}

/**
 * The refusal of a safe call that a page of another site makes in the background, for what costs work to answer: the page
 * sees nothing of it, and could have it done over and over. Undefined for a link that somebody follows.
 */
export const refusalOfWork = (call: CallOrigin, allowed: Allowed): ArchivoltError | undefined => {
  const isFollowed = call.site === undefined ? !call.isFetch : call.site !== 'cross-site' || call.isNavigation
  if (isFollowed) return undefined
  const objection = objectionTo(call, allowed)
  return objection === undefined ? undefined : refusal(call, objection)
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
