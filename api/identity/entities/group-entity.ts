import type { GroupView } from '../../../core/access/identity/index.js'
import type { Schema } from '../../../core/model/content-model/index.js'

/** Fields that are written under other names. */
const OWN = new Set(['groupname', 'grouplabel', 'description', 'members', 'subGroups', 'parentGroups'])

/**
 * A group (rest-documents.md §10). Its members are always written: older clients send back what they have read.
 *
 * @param schema the schema `group`, whose further fields are shown as well.
 */
export const groupEntity = (
  { group, memberUsers, memberGroups, parentGroups }: GroupView,
  schema?: Schema,
) => {
  const { groupname, label, description, properties = {} } = group
  const grouplabel = label ?? groupname
  const more = [...(schema?.fields.keys() ?? [])].filter((field) => !OWN.has(field))
  return {
    'entity-type': 'group',
    id: groupname,
    groupname,
    grouplabel,
    properties: {
      groupname,
      grouplabel,
      description,
      ...Object.fromEntries(more.map((field) => [field, properties[field] ?? null])),
    },
    memberUsers,
    memberGroups,
    parentGroups,
  }
}
