import type { User } from '../../core/identity/index.js'
import type { Principal } from '../../core/security/index.js'

/**
 * A user (rest-documents.md §10). Its property `groups` can be sent back, so that it holds the user's own groups
 * alone; `extendedGroups` holds those that contain them and the default one too.
 */
export const userEntity = (
  user: Omit<User, 'passwordHash' | 'isEnabled'>,
  {
    groups,
    isAdministrator,
    ownGroups,
  }: Pick<Principal, 'groups' | 'isAdministrator'> & { ownGroups: readonly string[] },
) => ({
  'entity-type': 'user',
  id: user.username,
  properties: {
    firstName: user.firstName,
    lastName: user.lastName,
    groups: ownGroups,
    company: user.company,
    email: user.email,
    username: user.username,
  },
  extendedGroups: groups.map((name) => ({ name, label: name, url: `group/${name}` })),
  isPartial: false,
  isAdministrator,
  isAnonymous: false,
})
