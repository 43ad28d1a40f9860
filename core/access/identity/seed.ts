import { randomBytes } from 'node:crypto'
import { hashPassword } from './login/password.js'
import type { Group, IdentityStore, User } from './types.js'

export const FIRST_ADMINISTRATOR = 'Administrator'
const ADMINISTRATORS = 'administrators'

export type SeededGroup = Group & { members: readonly string[]; groups: readonly string[] }

export type SeededUser = Omit<User, 'passwordHash' | 'isEnabled'> & { groups: readonly string[] }

/**
 * Creates groups and users of the configuration that do not exist yet and, when there is none, the first
 * administrator. What exists is left as it is: memberships that were removed since then stay removed.
 *
 * @param administrator whether to create the administrator, and with which password; generated when absent.
 * @returns the password that was generated, if one was.
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
    administrator: { password: string | undefined } | undefined
  },
): Promise<string | undefined> => {
  await seedGroups(store, groups)
  for (const { groups: memberships, ...user } of users) {
    const isNew = await store.insertUser({ ...user, passwordHash: null, isEnabled: true })
    if (isNew) for (const group of memberships) await store.addMember(group, user.username, 'user')
  }
  return administrator && seedAdministrator(store, administrator.password)
}

const seedGroups = async (store: IdentityStore, groups: readonly SeededGroup[]): Promise<void> => {
  for (const { members, groups: inner, ...group } of groups) {
    if (!(await store.insertGroup(group))) continue
    for (const member of members) await store.addMember(group.groupname, member, 'user')
    for (const member of inner) await store.addMember(group.groupname, member, 'group')
  }
}

const seedAdministrator = async (
  store: IdentityStore,
  given: string | undefined,
): Promise<string | undefined> => {
  const existing = await store.user(FIRST_ADMINISTRATOR)
  if (existing?.passwordHash) return undefined
  const password = given ?? randomBytes(12).toString('base64url')
  const passwordHash = await hashPassword(password)
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
