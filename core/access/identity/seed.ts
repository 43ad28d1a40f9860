import { randomBytes } from 'node:crypto'
import { fail } from '../../platform/errors/index.js'
import { hashPassword } from './login/password.js'
import { type PasswordPolicy, requireGoodPassword } from './login/password-policy.js'
import type { Group, GroupStore, IdentityStore, MembershipStore, User } from './types.js'

export const FIRST_ADMINISTRATOR = 'Administrator'
const ADMINISTRATORS = 'administrators'

export type SeededGroup = Group & { members: readonly string[]; groups: readonly string[] }

export type SeededUser = Omit<User, 'passwordHash' | 'isEnabled'> & { groups: readonly string[] }

/** With the password of the settings; one is generated when there is none. */
export type FirstAdministrator = { password: string | undefined; policy: PasswordPolicy }

/**
 * Creates groups and users of the configuration that do not exist yet and, when there is none, the first
 * administrator. What exists is left as it is: memberships that were removed since then stay removed.
 *
 * @param administrator absent: none is created.
 * @returns the password that was generated, if one was.
 * @throws invalid for a password of the settings that does not fit the policy.
 */
export const seedIdentities = async (
  store: IdentityStore,
  {
    groups,
    users,
    administrator,
  }: {
    groups: readonly SeededGroup[]
    users: readonly SeededUser[]
    administrator: FirstAdministrator | undefined
  },
): Promise<string | undefined> => {
  await seedGroups(store, groups)
  for (const { groups: memberships, ...user } of users) {
    const isNew = await store.insertUser({ ...user, passwordHash: null, isEnabled: true })
    if (isNew) for (const group of memberships) await store.addMember(group, user.username, 'user')
  }
  return administrator && seedAdministrator(store, administrator)
}

const seedGroups = async (
  store: GroupStore & MembershipStore,
  groups: readonly SeededGroup[],
): Promise<void> => {
  for (const { members, groups: inner, ...group } of groups) {
    if (!(await store.insertGroup(group))) continue
    for (const member of members) await store.addMember(group.groupname, member, 'user')
    for (const member of inner) await store.addMember(group.groupname, member, 'group')
  }
}

const requireGoodSetting = async (password: string, policy: PasswordPolicy): Promise<string> => {
  try {
    return await requireGoodPassword(password, { policy, username: FIRST_ADMINISTRATOR })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw fail('invalid', `ARCHIVOLT_ADMIN_PASSWORD does not fit the rules for passwords: ${reason}`, {
      cause,
    })
  }
}

const seedAdministrator = async (
  store: IdentityStore,
  { password: given, policy }: FirstAdministrator,
): Promise<string | undefined> => {
  const existing = await store.user(FIRST_ADMINISTRATOR)
  if (existing?.passwordHash) return undefined
  const password =
    given === undefined ? randomBytes(12).toString('base64url') : await requireGoodSetting(given, policy)
  const passwordHash = await hashPassword(password, policy.cost)
  if (existing) await store.setPasswordHash(FIRST_ADMINISTRATOR, passwordHash)
  else
    await store.insertUser({
      username: FIRST_ADMINISTRATOR,
      passwordHash,
      firstName: null,
      lastName: null,
      email: null,
      company: null,
      isEnabled: true,
    })
  await store.insertGroup({ groupname: ADMINISTRATORS, label: null, description: null })
  await store.addMember(ADMINISTRATORS, FIRST_ADMINISTRATOR, 'user')
  return given === undefined ? password : undefined
}
