import { hash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { fail } from '../../../platform/errors/index.js'
import { shortened } from '../../../platform/limits/index.js'
import type { Principal } from '../../security/index.js'
import type { IdentityChanges } from '../changes.js'
import { loadPrincipal } from '../principals.js'
import type { IdentityStore, UserManagement } from '../types.js'
import { type ClientKey, createFairQueue } from './fair-queue.js'
import { createLoginAttempts } from './login-attempts.js'
import { createLoginThrottle, type LoginTries } from './login-throttle.js'
import { hashPassword, isOutdated, verifyPassword } from './password.js'
import type { PasswordPolicy } from './password-policy.js'

export type Authenticator = {
  /**
   * The principal of a name and password, at once where it is remembered; undefined when they do not match.
   *
   * @param addressOf returns the client's address; called when the principal is not cached, to limit tries by address.
   * @throws tooManyRequests when too many were wrong, unavailable when too many are being checked.
   */
  verify(
    username: string,
    password: string,
    addressOf?: () => string,
  ): Principal | Promise<Principal | undefined>
  /** The principal that a workflow acts for; undefined when the user is gone or disabled. */
  principal(username: string): Promise<Principal | undefined>
  /** Lets a name be tried again whose wrong passwords were too many. */
  resetAttempts(username: string): Promise<void>
}

/** A principal with the number of changes that were known when it was loaded. */
type Remembered = { principal: Principal; count: number; freshUntil: number }

/** A password that was right against a stored hash; it stays right as long as the hash is the same. */
type Verified = { passwordHash: string; endsAt: number }

/** A login that was refused, for the operator's log and the audit. */
export type FailedLogin = {
  /** The name that was sent, cut after 255 characters. */
  account: string
  /** As `addressOf` of `verify` returns it. */
  address: string
  reason: 'wrong' | 'tooMany'
}

type Credentials = { username: string; password: string; address: string }

const MAX_CACHED = 10_000

/** How long an address is known from which somebody has logged in. */
const KNOWN_MS = 30 * 86_400_000

/** Characters of a name in the log: a caller may send any text. */
const MAX_LOGGED = 255

/** How long a verified password needs no slow hash, as long as the stored hash is the same. */
const VERIFIED_MS = 600_000

/**
 * Hashes share the runtime's thread pool with file access: clients that guess passwords must leave threads to
 * others, and their queue must end.
 */
const HASHING = { atOnce: 2, maxWaiting: 500 }

/** How long somebody is known to have been in a group. */
const LOST_MS = 600_000

/** The groups that a principal has lost, by what was known of it before. */
const lostSince = (
  before: Principal | undefined,
  { groups }: Principal,
  now: number,
): NonNullable<Principal['lost']> => {
  const known = (before?.lost ?? []).filter(({ until }) => until > now)
  const lost = (before?.groups ?? []).map((group) => ({ group, until: now + LOST_MS }))
  return [...known, ...lost].filter(({ group }) => !groups.includes(group))
}

const isSamePrincipal = (a: Principal, b: Principal): boolean =>
  a.isAdministrator === b.isAdministrator &&
  a.groups.length === b.groups.length &&
  a.groups.every((group, index) => group === b.groups[index])

/**
 * Verifies passwords against their slow hashes and caches a success, so that Basic authentication costs no
 * slow hash a call. The cache holds a digest of name and password, salted with a secret of this process;
 * failures are not cached.
 *
 * A principal is cached until users or groups change, in any process (`changes`), and for
 * `cacheSeconds` at most: then its groups, and whether the stored password is still the one that was verified,
 * are looked up again.
 */
export const createAuthenticator = ({
  store,
  tries,
  rules,
  passwords,
  changes,
  onFailed,
  onLogin = async () => undefined,
  cacheSeconds = 30,
  now = Date.now,
}: {
  store: IdentityStore
  /** Of all processes. */
  tries: LoginTries
  rules: () => UserManagement
  passwords: Pick<PasswordPolicy, 'cost'>
  changes: IdentityChanges
  onFailed(login: FailedLogin): Promise<void> | void
  /** Called with the user of a password that was verified against its hash: of logins, not of each call with the same credentials. */
  onLogin?(username: string): Promise<void>
  cacheSeconds?: number
  now?: () => number
}): Authenticator => {
  const secret = randomBytes(32).toString('base64')
  const verified = new LRUCache<string, Verified>({ max: MAX_CACHED })
  const byDigest = new LRUCache<string, Remembered>({ max: MAX_CACHED })
  const byName = new LRUCache<string, Remembered>({ max: MAX_CACHED })
  const hashing = createFairQueue(HASHING)
  const throttle = createLoginThrottle({ store: tries, now, sleep: (milliseconds) => sleep(milliseconds) })
  const attempts = createLoginAttempts({ store: tries, now })
  const addresses = new LRUCache<string, true>({ max: MAX_CACHED, ttl: KNOWN_MS })
  const checking = new Map<string, Promise<boolean>>()
  // Verifying against it makes an unknown name take as long as a wrong password.
  const decoy = hashPassword(randomBytes(16).toString('hex'), passwords.cost)

  const recall = (cache: LRUCache<string, Remembered>, key: string): Principal | undefined => {
    const known = cache.get(key)
    if (!known || known.count !== changes.count || known.freshUntil <= now() || changes.isPending())
      return undefined
    return known.principal
  }

  /** Loads a principal and remembers it as of the changes that were known before anything was looked up. */
  const load = async (
    cache: LRUCache<string, Remembered>,
    key: string,
    { username, count }: { username: string; count: number },
  ): Promise<Principal | undefined> => {
    const loaded = await loadPrincipal(store, rules(), username)
    const before = cache.get(key)?.principal
    if (!loaded) {
      cache.delete(key)
      return undefined
    }
    // The same object as long as nothing changed: stores are cached by principal.
    const isSame = before !== undefined && isSamePrincipal(before, loaded)
    const lost = isSame ? [] : lostSince(before, loaded, now())
    const principal = isSame ? before : { ...loaded, ...(lost.length > 0 && { lost }) }
    cache.set(key, { principal, count, freshUntil: now() + cacheSeconds * 1000 })
    return principal
  }

  const clientOf = ({ username, address }: Credentials): ClientKey => ({
    address,
    name: username.toLowerCase(),
  })

  /** Requests with the same credentials at the same moment, e.g. a client's parallel calls, share one slow hash. */
  const matching = (digest: string, credentials: Credentials, expected: string): Promise<boolean> => {
    const key = `${digest} ${expected}`
    const known = checking.get(key)
    if (known) return known
    const checked = checkOnce(digest, credentials, expected).finally(() => checking.delete(key))
    checking.set(key, checked)
    return checked
  }

  const report = async ({ username, address }: Credentials, reason: FailedLogin['reason']): Promise<void> =>
    onFailed({ account: shortened(username, MAX_LOGGED), address, reason })

  /**
   * Checks a password against its slow hash as an attempt of the account. One that was right before is no guess, so
   * that its user is not locked out by those who guess.
   */
  const checkOnce = async (digest: string, credentials: Credentials, expected: string): Promise<boolean> => {
    const client = clientOf(credentials)
    const guess = verified.has(digest) ? undefined : await attempts.begin(client)
    if (guess?.wait !== undefined) {
      await report(credentials, 'tooMany')
      throw fail('tooManyRequests', 'Too many wrong passwords were sent for this user; try again later', {
        retryAfter: guess.wait,
      })
    }
    let isWrong = false
    try {
      const isRight = await throttle.attempt(client, ({ isThrottled }) =>
        hashing({ ...client, isThrottled, isKnown: addresses.has(client.address) }, () =>
          verifyPassword(credentials.password, expected),
        ),
      )
      isWrong = !isRight
      if (isRight) {
        addresses.set(client.address, true)
        await attempts.remember(client)
      }
      return isRight
    } finally {
      if (!isWrong) await guess?.takeBack()
    }
  }

  const isRight = async (digest: string, credentials: Credentials): Promise<boolean> => {
    const { username } = credentials
    const user = await store.user(username)
    const before = verified.get(digest)
    if (before && before.endsAt > now() && before.passwordHash === user?.passwordHash) return true
    const expected = user?.passwordHash ?? (await decoy)
    const matches = await matching(digest, credentials, expected)
    if (!matches || !user?.passwordHash || !user.isEnabled) {
      verified.delete(digest)
      await report(credentials, 'wrong')
      return false
    }
    const passwordHash = isOutdated(expected, passwords.cost)
      ? await improve(credentials, expected)
      : expected
    const known = verified.get(digest)
    verified.set(digest, { passwordHash, endsAt: now() + VERIFIED_MS })
    // Calls that have waited for the same hash are one login.
    if (known === before) await onLogin(user.username)
    return true
  }

  /** A hash of another system is replaced by this product's at its first use. */
  const improve = async (credentials: Credentials, from: string): Promise<string> => {
    const to = await hashing(clientOf(credentials), () => hashPassword(credentials.password, passwords.cost))
    await store.replacePasswordHash(credentials.username, { from, to })
    return to
  }

  const lookUp = async (digest: string, credentials: Credentials): Promise<Principal | undefined> => {
    const { count } = changes
    const { username } = credentials
    if (await isRight(digest, credentials)) return load(byDigest, digest, { username, count })
    byDigest.delete(digest)
    return undefined
  }

  return {
    verify: (username, password, addressOf = () => '') => {
      const digest = hash('sha256', `${secret}${username.length}:${username}:${password}`, 'base64')
      return recall(byDigest, digest) ?? lookUp(digest, { username, password, address: addressOf() })
    },
    principal: async (username) =>
      recall(byName, username) ?? load(byName, username, { username, count: changes.count }),
    resetAttempts: (username) => attempts.reset(username.toLowerCase()),
  }
}
