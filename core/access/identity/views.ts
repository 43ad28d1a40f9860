import { isAdministratorByRules, withDefaultGroup } from './principals.js'
import type { EntityListing, FieldMatch, Found, Group, Identities, User } from './types.js'

/** A user as it is shown: never with its password. */
export type UserView = {
  user: Omit<User, 'passwordHash'>
  /** Groups that name the user as a member. */
  ownGroups: readonly string[]
  /** All groups with their labels, inherited ones and the default one included. */
  allGroups: readonly { name: string; label: string }[]
  isAdministrator: boolean
}

/** A group as it is shown, with its direct members and the groups that it belongs to. */
export type GroupView = {
  group: Group
  memberUsers: readonly string[]
  memberGroups: readonly string[]
  parentGroups: readonly string[]
}

/** Users as they are shown, with three queries for all of them. */
export const viewUsers = async (identities: Identities, users: readonly User[]): Promise<UserView[]> => {
  if (users.length === 0) return []
  const { rules } = identities
  const memberships = await identities.allMembershipsOfUsers(users.map(({ username }) => username))
  const groupsOf = new Map<string, { groupname: string; isOwn: boolean }[]>()
  for (const { member, ...membership } of memberships) {
    const groups = groupsOf.get(member)
    if (groups) groups.push(membership)
    else groupsOf.set(member, [membership])
  }
  const names = withDefaultGroup(rules, [...new Set(memberships.map(({ groupname }) => groupname))])
  const labels = new Map((await identities.groups(names)).map(({ groupname, label }) => [groupname, label]))
  return users.map(({ passwordHash: _hash, ...user }) => {
    const own = groupsOf.get(user.username) ?? []
    const all = own.map(({ groupname }) => groupname)
    return {
      user,
      ownGroups: own.filter(({ isOwn }) => isOwn).map(({ groupname }) => groupname),
      allGroups: withDefaultGroup(rules, all).map((name) => ({ name, label: labels.get(name) || name })),
      isAdministrator: isAdministratorByRules(rules, user.username, all),
    }
  })
}

/** Groups as they are shown, with one query for all of them. */
export const viewGroups = async (identities: Identities, groups: readonly Group[]): Promise<GroupView[]> => {
  if (groups.length === 0) return []
  const memberships = await identities.memberships(groups.map(({ groupname }) => groupname))
  const membersOf = (name: string, wanted: 'user' | 'group'): string[] =>
    memberships
      .filter(({ groupname, kind }) => groupname === name && kind === wanted)
      .map(({ member }) => member)
  return groups.map((group) => ({
    group,
    memberUsers: membersOf(group.groupname, 'user'),
    memberGroups: membersOf(group.groupname, 'group'),
    parentGroups: memberships
      .filter(({ member, kind }) => kind === 'group' && member === group.groupname)
      .map(({ groupname }) => groupname),
  }))
}

export type ListPage = { limit: number; offset: number }

const EVERYTHING = '*'

/** The conditions of a search by a text; undefined when nothing is to be found. */
const conditionsOf = (
  { searchFields, substringMatch, listingMode }: EntityListing,
  text: string,
): readonly FieldMatch[] | undefined => {
  const asked = text.trim()
  if (asked === '') return listingMode === 'all' ? [] : undefined
  const value = asked.replace(/^\*+|(?<!\*)\*+$/g, '')
  if (asked === EVERYTHING || value === '') return []
  return [
    ...searchFields.substring.map((field): FieldMatch => ({ field, value, match: substringMatch })),
    ...searchFields.exact.map((field): FieldMatch => ({ field, value, match: 'equalIgnoringCase' })),
  ]
}

/**
 * Users whose fields of search hold a text; `*` finds all, nothing finds nobody, unless the deployment lists
 * all users (rest-documents.md §10).
 */
export const searchUsers = async (
  identities: Identities,
  text: string,
  page: ListPage,
): Promise<Found<User>> => {
  const { users } = identities.rules
  const anyOf = conditionsOf(users, text)
  if (!anyOf) return { entries: [], total: 0 }
  return identities.searchUsers({ anyOf, sortField: users.sortField, ...page })
}

/** Groups whose fields of search hold a text; see `searchUsers`. */
export const searchGroups = async (
  identities: Identities,
  text: string,
  page: ListPage,
): Promise<Found<Group>> => {
  const { groups } = identities.rules
  const anyOf = conditionsOf(groups, text)
  if (!anyOf) return { entries: [], total: 0 }
  return identities.searchGroups({ anyOf, sortField: groups.sortField, ...page })
}
