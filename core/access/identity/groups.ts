import { type Properties, readProperty } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import { changing, emitIdentityEvent } from './changing.js'
import { keepAdministrator, refuseCycle } from './guards.js'
import { nameList, requireGroups, requireName, requireNameOfOneKind, requireUsers } from './names.js'
import {
  type IdentityChangeSession,
  type IdentitySession,
  refuseGroupLookalike,
  requireManager,
  requireMayChangeGroups,
  requireMayChangeUser,
} from './rights.js'
import type { Group, GroupChange } from './types.js'
import { readText } from './user-values.js'
import { requireUser } from './users.js'

/** A group as a caller sends it: values of the schema `group`, and its members. */
export type GroupInput = {
  readonly [property: string]: unknown
  /** Names of users, of groups, and of groups that it belongs to; absent lists are left alone. */
  memberUsers?: unknown
  memberGroups?: unknown
  parentGroups?: unknown
}

const SPECIAL = new Set(['groupname', 'grouplabel', 'description', 'members', 'subGroups', 'parentGroups'])

/** @throws notFound when there is no such group. */
export const requireGroup = async ({ identities }: IdentitySession, groupname: string): Promise<Group> => {
  const group = groupname.includes('\0') ? undefined : await identities.group(groupname)
  if (!group) throw fail('notFound', 'group does not exist')
  return group
}

/**
 * Adds a group with its members (rest-documents.md §10).
 *
 * @throws forbidden, badRequest naming the field, conflict when the name is taken by a group or a user.
 */
export const createGroup = (session: IdentityChangeSession, input: GroupInput): Promise<Group> =>
  changing(session, (changed) => create(changed, input))

const create = async (session: IdentityChangeSession, input: GroupInput): Promise<Group> => {
  requireManager(session)
  const groupname = requireName('groupname', input.groupname)
  await requireMayChangeGroups(session, [groupname])
  refuseGroupLookalike(session, groupname)
  await session.identities.lockMemberships()
  await requireNameOfOneKind(session, 'group', groupname)
  const { label = null, description = null, properties = {} } = await readGroup(session, input)
  const group: Group = { groupname, label, description, properties }
  if (!(await session.identities.insertGroup(group)))
    throw fail('conflict', `Group '${groupname}' already exists`)
  await setMembers(session, groupname, input)
  await emitIdentityEvent(session, 'group', 'created', groupname)
  return group
}

/**
 * Changes what is given of a group; an empty list takes all members of its kind away.
 *
 * @throws notFound, forbidden, badRequest naming the field or a group that would contain itself, conflict when
 *   no administrator would be left.
 */
export const updateGroup = (
  session: IdentityChangeSession,
  groupname: string,
  input: GroupInput,
): Promise<Group> => changing(session, (changed) => update(changed, groupname, input))

const update = async (
  session: IdentityChangeSession,
  groupname: string,
  input: GroupInput,
): Promise<Group> => {
  requireManager(session)
  await requireGroup(session, groupname)
  await requireMayChangeGroups(session, [groupname])
  if (input.groupname !== undefined && input.groupname !== null && input.groupname !== groupname)
    throw fail('badRequest', `groupname: group '${groupname}' cannot be renamed`)
  await session.identities.updateGroup(groupname, await readGroup(session, input))
  await setMembers(session, groupname, input)
  await keepAdministrator(session)
  await emitIdentityEvent(session, 'group', 'modified', groupname)
  return requireGroup(session, groupname)
}

/**
 * Removes a group with its memberships; its members stay.
 *
 * @throws notFound, forbidden, conflict for a group of administrators, and when none would be left.
 */
export const deleteGroup = (session: IdentityChangeSession, groupname: string): Promise<void> =>
  changing(session, (changed) => remove(changed, groupname))

const remove = async (session: IdentityChangeSession, groupname: string): Promise<void> => {
  requireManager(session)
  await requireGroup(session, groupname)
  await requireMayChangeGroups(session, [groupname])
  if (session.identities.rules.administratorGroups.includes(groupname))
    throw fail('conflict', `Group '${groupname}' makes its members administrators, and cannot be deleted`)
  await session.identities.lockMemberships()
  await session.identities.removeGroup(groupname)
  await keepAdministrator(session)
  await emitIdentityEvent(session, 'group', 'deleted', groupname)
}

type UserInGroup = { username: string; groupname: string }

/** @throws notFound without such a user or group, forbidden. */
export const addToGroup = (session: IdentityChangeSession, membership: UserInGroup): Promise<void> =>
  changing(session, async (changed) => {
    const { username, groupname } = membership
    await requireMembershipChange(changed, membership)
    await changed.identities.addMember(groupname, username, 'user')
    await emitIdentityEvent(changed, 'user', 'modified', username)
  })

/** @throws notFound without such a user or group, forbidden, conflict when no administrator would be left. */
export const removeFromGroup = (session: IdentityChangeSession, membership: UserInGroup): Promise<void> =>
  changing(session, async (changed) => {
    const { username, groupname } = membership
    await requireMembershipChange(changed, membership)
    await changed.identities.removeMember(groupname, username, 'user')
    await keepAdministrator(changed)
    await emitIdentityEvent(changed, 'user', 'modified', username)
  })

const requireMembershipChange = async (
  session: IdentitySession,
  { username, groupname }: UserInGroup,
): Promise<void> => {
  requireManager(session)
  // Locked against their removal, which would leave a membership for whoever gets the name next.
  await session.identities.lockMemberships()
  await requireUser(session, username)
  await requireGroup(session, groupname)
  await requireMayChangeUser(session, username)
  await requireMayChangeGroups(session, [groupname])
}

const readGroup = async ({ model }: IdentitySession, input: GroupInput): Promise<GroupChange> => {
  const change: GroupChange = {}
  if (input.grouplabel !== undefined) change.label = readText('grouplabel', input.grouplabel)
  if (input.description !== undefined) change.description = readText('description', input.description)
  const properties: Properties = {}
  for (const field of model.schemas.get('group')?.fields.values() ?? []) {
    if (SPECIAL.has(field.name) || input[field.name] === undefined) continue
    properties[field.name] = await readProperty(input[field.name], { field, xpath: field.name })
  }
  return Object.keys(properties).length > 0 ? { ...change, properties } : change
}

const setMembers = async (session: IdentitySession, groupname: string, input: GroupInput): Promise<void> => {
  const { identities } = session
  const users = nameList('memberUsers', input.memberUsers)
  const groups = nameList('memberGroups', input.memberGroups)
  const parents = nameList('parentGroups', input.parentGroups)
  if (!users && !groups && !parents) return
  await identities.lockMemberships()
  if (users) {
    const { entries: current } = await identities.members(groupname, 'user')
    await requireUsers(session, 'memberUsers', without(users, current))
    await identities.setMembers(groupname, 'user', users)
  }
  if (groups) {
    // A group may be named before it is there: its rights are those of its name from the first moment on.
    await identities.setMembers(groupname, 'group', groups)
  }
  if (parents) {
    const current = await identities.parentGroupsOf(groupname)
    const changed = [...without(parents, current), ...without(current, parents)]
    await requireGroups(session, 'parentGroups', without(parents, current))
    await requireMayChangeGroups(session, changed)
    await identities.setMemberOf(groupname, 'group', parents)
  }
  if (groups || parents) await refuseCycle(session, groupname)
}

const without = (names: readonly string[], others: readonly string[]): string[] => {
  const left = new Set(others)
  return names.filter((name) => !left.has(name))
}
