import { hash, randomBytes } from 'node:crypto'
import type { Principal } from '../security/index.js'
import { hashPassword, verifyPassword } from './password.js'
import { loadPrincipal } from './principals.js'
import { createTurns } from './turns.js'
import type { IdentityStore } from './types.js'

export type Authenticator = {
  /** The principal of a name and password; undefined when they do not match. */
  verify(username: string, password: string): Promise<Principal | undefined>
  /** The principal that a workflow acts for; undefined when the user is gone. */
  principal(username: string): Promise<Principal | undefined>
}

type Cached = { principal: Principal; expiresAt: number }

const MAX_CACHED = 10_000

/**
 * Hashes use the runtime's few threads for files too: strangers who guess passwords must leave some to those
 * who are known already, and must not queue up for ever.
 */
const HASHING = { atOnce: 2, maxWaiting: 500 }

/**
 * Verifies passwords against their slow hashes and remembers a success for a short time, so that Basic
 * authentication costs no slow hash a call. What is remembered is a digest of name and password salted with a
 * secret that never leaves this process; failures are not remembered. A changed password, group or right is
 * therefore in force everywhere after `cacheSeconds`.
 */
export const createAuthenticator = ({
  store,
  cacheSeconds = 30,
  now = Date.now,
}: {
  store: IdentityStore
  cacheSeconds?: number
  now?: () => number
}): Authenticator => {
  const secret = randomBytes(32).toString('base64')
  const verified = new Map<string, Cached>()
  const hashing = createTurns(HASHING)
  // Verifying against it makes an unknown name take as long as a wrong password.
  const decoy = hashPassword(randomBytes(16).toString('hex'))

  const acting = new Map<string, Cached>()

  const remember = (cache: Map<string, Cached>, name: string, principal: Principal): void => {
    if (cache.size >= MAX_CACHED) cache.clear()
    cache.set(name, { principal, expiresAt: now() + cacheSeconds * 1000 })
  }

  const recall = (cache: Map<string, Cached>, name: string): Principal | undefined => {
    const cached = cache.get(name)
    if (cached && cached.expiresAt > now()) return cached.principal
    cache.delete(name)
    return undefined
  }

  return {
    verify: async (username, password) => {
      const digest = hash('sha256', `${secret}${username.length}:${username}:${password}`, 'base64')
      const cached = recall(verified, digest)
      if (cached) return cached
      const user = await store.user(username)
      const expected = user?.passwordHash ?? (await decoy)
      const isRight = await hashing(() => verifyPassword(password, expected))
      if (!isRight || !user?.passwordHash) return undefined
      const principal = await loadPrincipal(store, username)
      if (principal) remember(verified, digest, principal)
      return principal
    },
    principal: async (username) => {
      const cached = recall(acting, username)
      if (cached) return cached
      const principal = await loadPrincipal(store, username)
      if (principal) remember(acting, username, principal)
      return principal
    },
  }
}
