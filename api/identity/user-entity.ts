import type { User } from '../../core/identity/index.js'
import type { Principal } from '../../core/security/index.js'

/** A user with all its groups, those that contain its groups included (rest-documents.md §10). */
export const userEntity = (
  user: Omit<User, 'passwordHash' | 'isEnabled'>,
  { groups, isAdministrator }: Pick<Principal, 'groups' | 'isAdministrator'>,
) => ({
  'entity-type': 'user',
  id: user.username,
  properties: {
    firstName: user.firstName,
    lastName: user.lastName,
    groups,
    company: user.company,
    email: user.email,
    username: user.username,
  },
  extendedGroups: groups.map((name) => ({ name, label: name, url: `group/${name}` })),
  isPartial: false,
  isAdministrator,
  isAnonymous: false,
})
