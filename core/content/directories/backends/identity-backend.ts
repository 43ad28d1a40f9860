import type { FieldMatch, Found, Group, IdentityStore, User } from '../../../access/identity/index.js'
import type { Properties, PropertyValue } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import type { Directory, DirectoryEntry, EntryQuery } from '../types.js'
import type { Backend, DirectorySession } from './backend.js'
import { wordsOf } from './words.js'

/** Fields that are memberships, not values of their own. */
const MEMBERSHIPS = new Set(['groups', 'members', 'subGroups', 'parentGroups'])

const refused = ({ name }: Directory) =>
  fail('badRequest', `Directory '${name}' is read-only; change its users and groups instead`)

/**
 * Users or groups as a read-only directory: `core/access/identity` owns them and decides
 * who may change them.
 */
export const createIdentityBackend = ({ identities }: DirectorySession, directory: Directory): Backend => {
  const read = directory.backend === 'users' ? usersIn(identities) : groupsIn(identities)
  const refuse = () => Promise.reject(refused(directory))
  return {
    get: async (id) => (await read.getMany([id]))[0],
    getMany: read.getMany,
    find: async (query) => read.find(searchOf(directory, query)),
    insert: refuse,
    update: refuse,
    remove: refuse,
  }
}

const searchOf = (
  directory: Directory,
  { filter = {}, fulltext = [], orderBy = [], ...page }: EntryQuery,
) => {
  const allOf = Object.entries({ ...directory.filters, ...filter }).flatMap(
    ([field, value]): FieldMatch[] => {
      if (MEMBERSHIPS.has(field) || field === directory.passwordField)
        throw fail('badRequest', `filters: '${field}' of directory '${directory.name}' cannot be searched`)
      const text = String(value ?? '')
      if (!fulltext.includes(field)) return [{ field, value: text, match: 'equal' }]
      return wordsOf(text).map((word) => ({ field, value: word, match: 'subany' }))
    },
  )
  const sortField = orderBy[0]?.field
  return { allOf, ...page, ...(sortField !== undefined && { sortField }) }
}

type Search = Parameters<IdentityStore['searchUsers']>[0]

const entriesOf = async <Entity>(
  { entries, total }: Found<Entity>,
  withMemberships: (entities: readonly Entity[]) => Promise<DirectoryEntry[]>,
) => ({ entries: await withMemberships(entries), total })

const properties = (values: Properties, more: Properties = {}): Properties => ({ ...more, ...values })

const usersIn = (store: IdentityStore) => {
  const withGroups = async (users: readonly User[]): Promise<DirectoryEntry[]> => {
    const memberships = await store.membershipsOfUsers(users.map(({ username }) => username))
    return users.map(({ username, firstName, lastName, email, company, properties: more }) => ({
      id: username,
      properties: properties(
        {
          username,
          firstName,
          lastName,
          email,
          company,
          groups: memberships.filter(({ member }) => member === username).map(({ groupname }) => groupname),
        },
        more,
      ),
    }))
  }
  return {
    getMany: async (ids: readonly string[]) => withGroups(await store.users(ids)),
    find: async (search: Search) => entriesOf(await store.searchUsers(search), withGroups),
  }
}

const groupsIn = (store: IdentityStore) => {
  const withMembers = async (groups: readonly Group[]): Promise<DirectoryEntry[]> => {
    const memberships = await store.memberships(groups.map(({ groupname }) => groupname))
    const membersOf = (groupname: string, kind: 'user' | 'group'): PropertyValue =>
      memberships
        .filter((membership) => membership.groupname === groupname && membership.kind === kind)
        .map(({ member }) => member)
    return groups.map(({ groupname, label, description, properties: more }) => ({
      id: groupname,
      properties: properties(
        {
          groupname,
          grouplabel: label,
          description,
          members: membersOf(groupname, 'user'),
          subGroups: membersOf(groupname, 'group'),
          parentGroups: memberships
            .filter(({ member, kind }) => kind === 'group' && member === groupname)
            .map(({ groupname: parent }) => parent),
        },
        more,
      ),
    }))
  }
  return {
    getMany: async (ids: readonly string[]) => withMembers(await store.groups(ids)),
    find: async (search: Search) => entriesOf(await store.searchGroups(search), withMembers),
  }
}
