import type { GroupView } from '../../../core/access/identity/index.js'
import type { Schema } from '../../../core/model/content-model/index.js'

/** Fields that are written under other names. */
const OWN = new Set(['groupname', 'grouplabel', 'description', 'members', 'subGroups', 'parentGroups'])

/**
 * A group (rest-documents.md §10). Lists that are not written are left alone when a client sends back what it has read.
 *
 * @param fetch `memberUsers`, `memberGroups` and `parentGroups` are written where they are named.
 * @param schema the schema `group`, whose further fields are shown as well.
 */
export const groupEntity = (
  { group, memberUsers, memberGroups, parentGroups }: GroupView,
  { fetch, schema }: { fetch: readonly string[]; schema?: Schema | undefined },
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
    ...(fetch.includes('memberUsers') && { memberUsers }),
    ...(fetch.includes('memberGroups') && { memberGroups }),
    ...(fetch.includes('parentGroups') && { parentGroups }),
  }
}
