import { type Principal, principalOf } from '../security/index.js'
import type { MembershipStore, UserManagement, UserStore } from './types.js'

/** Whether a user with these groups, inherited ones included, may do everything. */
export const isAdministratorByRules = (
  { defaultAdministrators, administratorGroups }: UserManagement,
  username: string,
  groups: readonly string[],
): boolean =>
  defaultAdministrators.includes(username) || administratorGroups.some((group) => groups.includes(group))

/** A user's stored groups with the default group. */
export const withDefaultGroup = (
  { defaultGroup }: UserManagement,
  groups: readonly string[],
): readonly string[] =>
  defaultGroup === null || groups.includes(defaultGroup) ? groups : [...groups, defaultGroup]

/** The principal of a user with all its groups; undefined when there is no such user or it is disabled. */
export const loadPrincipal = async (
  store: Pick<UserStore, 'user'> & Pick<MembershipStore, 'groupsOf'>,
  rules: UserManagement,
  username: string,
): Promise<Principal | undefined> => {
  const user = await store.user(username)
  if (!user?.isEnabled) return undefined
  const groups = await store.groupsOf(username)
  return principalOf(
    username,
    withDefaultGroup(rules, groups),
    isAdministratorByRules(rules, username, groups),
  )
}
