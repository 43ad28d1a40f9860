import { type Principal, principalOf } from '../security/index.js'
import type { IdentityStore } from './types.js'

/** Every user is a member of it without being listed (security.md §8, `defaultGroup`). */
const DEFAULT_GROUP = 'members'
const ADMINISTRATORS = 'administrators'
const DEFAULT_ADMINISTRATOR = 'Administrator'

/** The principal of a user with all its groups; undefined when there is no such user or it is disabled. */
export const loadPrincipal = async (
  store: IdentityStore,
  username: string,
): Promise<Principal | undefined> => {
  const user = await store.user(username)
  if (!user?.isEnabled) return undefined
  const groups = [...new Set([...(await store.groupsOf(username)), DEFAULT_GROUP])]
  return principalOf(username, groups, username === DEFAULT_ADMINISTRATOR || groups.includes(ADMINISTRATORS))
}
