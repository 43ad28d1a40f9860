import { fail } from '../../platform/errors/index.js'
import { EVERYONE, SYSTEM } from '../security/index.js'
import { type IdentitySession, POWERUSERS, ROUTE_MANAGERS } from './rights.js'

const MAX_LENGTH = 255
const RESERVED = [EVERYONE, SYSTEM.name]

/**
 * A name as it is sent.
 *
 * @throws badRequest when there is none, or it is not fit to be one.
 */
export const requireName = (field: string, name: unknown): string => {
  if (typeof name !== 'string' || name.trim() === '') throw fail('badRequest', `${field}: must not be empty`)
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u.test(name) || name !== name.trim())
    throw fail(
      'badRequest',
      `${field}: must not start or end with a space, nor contain control characters or invisible ones`,
    )
  if (name.length > MAX_LENGTH)
    throw fail('badRequest', `${field}: must have at most ${MAX_LENGTH} characters`)
  if (RESERVED.includes(name)) throw fail('badRequest', `${field}: '${name}' is reserved`)
  return name
}

/**
 * Permissions name users and groups alike, so that a user by the name of a group would have what the group is
 * granted.
 *
 * @throws conflict when the other kind has the name.
 */
export const requireNameOfOneKind = async (
  { identities }: IdentitySession,
  kind: 'user' | 'group',
  name: string,
): Promise<void> => {
  if (kind === 'group') {
    if (await identities.user(name)) throw fail('conflict', `'${name}' is already the name of a user`)
    return
  }
  const { defaultGroup, administratorGroups } = identities.rules
  // What these are granted waits for whoever has the name, whether there is such a group or not.
  const granted = [defaultGroup, ...administratorGroups, POWERUSERS, ROUTE_MANAGERS]
  if (granted.includes(name) || (await identities.group(name)))
    throw fail('conflict', `'${name}' is already the name of a group`)
}

/** @throws badRequest naming the field and the first group that is not there. */
export const requireGroups = async (
  { identities }: IdentitySession,
  field: string,
  groupnames: readonly string[],
): Promise<void> => {
  const found = new Set((await identities.groups(groupnames)).map(({ groupname }) => groupname))
  const missing = groupnames.find((name) => !found.has(name))
  if (missing !== undefined) throw fail('badRequest', `${field}: group '${missing}' does not exist`)
}

/** @throws badRequest naming the field and the first user that is not there. */
export const requireUsers = async (
  { identities }: IdentitySession,
  field: string,
  usernames: readonly string[],
): Promise<void> => {
  const found = new Set((await identities.users(usernames)).map(({ username }) => username))
  const missing = usernames.find((name) => !found.has(name))
  if (missing !== undefined) throw fail('badRequest', `${field}: user '${missing}' does not exist`)
}

/**
 * A list of names as it is sent; undefined when it is absent.
 *
 * @throws badRequest when it is anything else.
 */
export const nameList = (field: string, value: unknown): string[] | undefined => {
  if (value === undefined || value === null) return undefined
  if (!Array.isArray(value) || !value.every((name) => typeof name === 'string' && !name.includes('\0')))
    throw fail('badRequest', `${field}: must be a list of names`)
  return [...new Set(value)]
}
