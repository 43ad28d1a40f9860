import { fail } from '../../platform/errors/index.js'
import { changing, emitIdentityEvent } from './changing.js'
import { keepAdministrator } from './guards.js'
import { verifyPassword } from './login/password.js'
import { requireGroups, requireName, requireNameOfOneKind } from './names.js'
import {
  type IdentityChangeSession,
  type IdentitySession,
  refuseLookalike,
  requireManager,
  requireMayChangeGroups,
  requireMayChangeUser,
} from './rights.js'
import type { User } from './types.js'
import { hashNewPassword, readUser, type UserInput } from './user-values.js'

export const noSuchUser = () => fail('notFound', 'user does not exist')

/** @throws notFound when there is no such user. */
export const requireUser = async ({ identities }: IdentitySession, username: string): Promise<User> => {
  const user = username.includes('\0') ? undefined : await identities.user(username)
  if (!user) throw noSuchUser()
  return user
}

/**
 * Adds a user (rest-documents.md §10).
 *
 * @throws forbidden, badRequest naming the property, conflict when the name is taken by a user or a group.
 */
export const createUser = (session: IdentityChangeSession, input: UserInput): Promise<User> =>
  changing(session, (changed) => create(changed, input))

const create = async (session: IdentityChangeSession, input: UserInput): Promise<User> => {
  requireManager(session)
  const { identities } = session
  const username = requireName('username', input.username)
  const { change, groups = [] } = await readUser(session, input, username)
  // A default administrator's name is a right of its own, whether or not a user has it yet.
  await requireMayChangeUser(session, username)
  await refuseLookalike(session, username)
  await requireMayChangeGroups(session, groups)
  await identities.lockMemberships()
  await requireNameOfOneKind(session, 'user', username)
  await requireGroups(session, 'groups', groups)
  const user: User = {
    passwordHash: null,
    firstName: null,
    lastName: null,
    email: null,
    company: null,
    isEnabled: true,
    ...change,
    username,
  }
  if (!(await identities.insertUser(user))) throw fail('conflict', `User '${username}' already exists`)
  await identities.setMemberOf(username, 'user', groups)
  await emitIdentityEvent(session, 'user', 'created', username)
  return user
}

/**
 * Changes the properties that are sent; an absent list of groups leaves the memberships alone.
 *
 * @throws notFound, forbidden, badRequest naming the property, conflict when no administrator would be left.
 */
export const updateUser = (
  session: IdentityChangeSession,
  username: string,
  input: UserInput & { isEnabled?: boolean },
): Promise<User> => changing(session, (changed) => update(changed, username, input))

const update = async (
  session: IdentityChangeSession,
  username: string,
  input: UserInput & { isEnabled?: boolean },
): Promise<User> => {
  requireManager(session)
  await requireUser(session, username)
  await requireMayChangeUser(session, username)
  if (input.username !== undefined && input.username !== null && input.username !== username)
    throw fail('badRequest', `username: user '${username}' cannot be renamed`)
  const { identities } = session
  const { change, groups } = await readUser(session, input, username)
  const { isEnabled } = input
  // Two who disable each other at once must not both find the other one enabled.
  if (isEnabled === false) await identities.lockMemberships()
  await identities.updateUser(username, { ...change, ...(isEnabled !== undefined && { isEnabled }) })
  if (groups) await setGroups(session, username, groups)
  if (groups || isEnabled === false) await keepAdministrator(session)
  await emitIdentityEvent(session, 'user', 'modified', username)
  return requireUser(session, username)
}

const setGroups = async (
  session: IdentitySession,
  username: string,
  groups: readonly string[],
): Promise<void> => {
  const { identities } = session
  await identities.lockMemberships()
  const current = new Set(await identities.directGroupsOf(username))
  const added = groups.filter((group) => !current.has(group))
  await requireMayChangeGroups(session, added)
  await requireGroups(session, 'groups', added)
  await identities.setMemberOf(username, 'user', groups)
}

/**
 * Removes a user with its memberships. What permissions name the user stays.
 *
 * @throws notFound, forbidden, conflict for the last administrator.
 */
export const deleteUser = (session: IdentityChangeSession, username: string): Promise<void> =>
  changing(session, (changed) => remove(changed, username))

const remove = async (session: IdentityChangeSession, username: string): Promise<void> => {
  requireManager(session)
  await requireUser(session, username)
  await requireMayChangeUser(session, username)
  await session.identities.lockMemberships()
  if (!(await session.identities.removeUser(username))) throw noSuchUser()
  await keepAdministrator(session)
  await emitIdentityEvent(session, 'user', 'deleted', username)
}

/**
 * Gives the caller another password.
 *
 * @throws unauthenticated when the old one is wrong, badRequest when the new one does not fit the rules.
 */
export const changeOwnPassword = async (
  session: IdentityChangeSession,
  { oldPassword, newPassword }: { oldPassword: unknown; newPassword: unknown },
): Promise<User> => {
  const user = await requireUser(session, session.principal.name)
  const isRight =
    typeof oldPassword === 'string' &&
    user.passwordHash !== null &&
    (await verifyPassword(oldPassword, user.passwordHash))
  if (!isRight) throw fail('unauthenticated', 'oldPassword: is wrong')
  const passwordHash = await hashNewPassword(session.identities, newPassword, user.username)
  return changing(session, async (changed) => {
    await changed.identities.setPasswordHash(user.username, passwordHash)
    await emitIdentityEvent(changed, 'user', 'modified', user.username)
    return user
  })
}
