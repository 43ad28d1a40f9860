import { fail } from '../../platform/errors/index.js'
import type { IdentitySession } from './rights.js'
import type { Identities } from './types.js'

/**
 * Checks, after a change in the same transaction, that an administrator is left.
 *
 * @throws conflict when none is, so that the change is rolled back.
 */
export const keepAdministrator = async ({
  identities,
}: {
  identities: Pick<Identities, 'rules' | 'users' | 'allMembers'>
}): Promise<void> => {
  const { administratorGroups, defaultAdministrators } = identities.rules
  if ((await identities.users(defaultAdministrators)).some(({ isEnabled }) => isEnabled)) return
  if ((await identities.allMembers(administratorGroups)).length > 0) return
  throw fail(
    'conflict',
    'The last administrator cannot be removed or disabled; name another administrator first',
  )
}

/**
 * Checks, after a change in the same transaction, that a group does not contain itself.
 *
 * @throws badRequest naming the groups.
 */
export const refuseCycle = async ({ identities }: IdentitySession, groupname: string): Promise<void> => {
  const parents = await identities.parentGroupsOf(groupname)
  const above = await identities.withAncestors(parents)
  if (!above.includes(groupname)) return
  throw fail('badRequest', `memberGroups: group '${groupname}' would contain itself`)
}
