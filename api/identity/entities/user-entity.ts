import type { UserView } from '../../../core/access/identity/index.js'
import type { Schema } from '../../../core/model/content-model/index.js'

/** Fields that are written under other names, or never shown. */
const OWN = new Set(['username', 'password', 'firstName', 'lastName', 'company', 'email', 'groups'])

/**
 * A user (rest-documents.md §10). Its property `groups` can be sent back, so that it holds the user's own groups
 * alone; `extendedGroups` holds those that contain them and the default one too.
 *
 * @param schema the schema `user`, whose further fields are shown as well.
 */
export const userEntity = ({ user, ownGroups, allGroups, isAdministrator }: UserView, schema?: Schema) => {
  const more = [...(schema?.fields.keys() ?? [])].filter((field) => !OWN.has(field))
  return {
    'entity-type': 'user',
    id: user.username,
    properties: {
      firstName: user.firstName,
      lastName: user.lastName,
      groups: ownGroups,
      company: user.company,
      email: user.email,
      username: user.username,
      ...Object.fromEntries(more.map((field) => [field, user.properties?.[field] ?? null])),
    },
    extendedGroups: allGroups.map(({ name, label }) => ({ name, label, url: `group/${name}` })),
    isPartial: false,
    isAdministrator,
    isAnonymous: false,
  }
}
