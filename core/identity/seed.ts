import { hashPassword } from './password.js'
import type { Group, IdentityStore } from './store.js'

export const FIRST_ADMINISTRATOR = 'Administrator'

/**
 * Makes the groups of the configuration and, when there is none yet, the first administrator.
 *
 * @param password the administrator's; used only when the user is made.
 * @returns whether the administrator was made by this call.
 */
export const seedIdentities = async (
  store: IdentityStore,
  { groups, password }: { groups: readonly Group[]; password: string },
): Promise<boolean> => {
  for (const group of groups) await store.ensureGroup(group)
  if (await store.user(FIRST_ADMINISTRATOR)) return false
  const isNew = await store.insertUser({
    username: FIRST_ADMINISTRATOR,
    passwordHash: await hashPassword(password),
    firstName: null,
    lastName: null,
    email: null,
    company: null,
    isEnabled: true,
  })
  await store.addMember('administrators', FIRST_ADMINISTRATOR, 'user')
  return isNew
}
