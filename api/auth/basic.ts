import type { Authenticator } from '../../core/access/identity/index.js'
import type { Principal } from '../../core/access/security/index.js'
import { clientPlace } from '../edge/index.js'
import type { AuthenticationScheme } from './scheme.js'

const BASIC = /^basic +([A-Za-z0-9+/_=-]+) *$/i

/** Name and password of a Basic header; undefined when it has none, or either is empty or has a NUL (reference: security.md §1). */
export const basicCredentials = (
  header: string | undefined,
): { username: string; password: string } | undefined => {
  const encoded = header === undefined ? undefined : BASIC.exec(header)?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  // No name has a NUL, and the hash ignores any number of them at the end of a password.
  if (colon < 1 || colon === text.length - 1 || text.includes('\0')) return undefined
  return { username: text.slice(0, colon), password: text.slice(colon + 1) }
}

const orRejected = (principal: Principal | undefined): Principal | 'rejected' => principal ?? 'rejected'

/** @param proxies in front of this server: see `clientPlace`. */
export const basicScheme = (
  authenticator: Authenticator,
  { proxies }: { proxies: number },
): AuthenticationScheme => ({
  name: 'Basic',
  authenticate: (c) => {
    const credentials = basicCredentials(c.req.header('Authorization'))
    if (!credentials) return undefined
    const { username, password } = credentials
    const verified = authenticator.verify(username, password, () => clientPlace(c, proxies))
    return verified instanceof Promise ? verified.then(orRejected) : orRejected(verified)
  },
})
