import {
  type GroupView,
  searchGroups,
  searchUsers,
  type UserView,
  viewGroups,
  viewUsers,
} from '../../../access/identity/index.js'
import type { Session } from '../../../content/documents/index.js'
import { fail } from '../../../platform/errors/index.js'
import { defineOperation, type Operation } from '../../language/index.js'
import { jsonBlob } from '../shared/json-blob.js'
import { searchTerm } from '../shared/parameters.js'
import { userValues } from './users.js'

const KINDS: { [searchType: string]: { users: boolean; groups: boolean } } = {
  USER_TYPE: { users: true, groups: false },
  GROUP_TYPE: { users: false, groups: true },
  USER_GROUP_TYPE: { users: true, groups: true },
}

/** Rows when neither the caller nor the user directory limits them. */
const NO_LIMIT = 100_000
const USER_DIRECTORY = 'userDirectory'

type Shown = {
  labelFields: readonly (string | undefined)[]
  withEmail: boolean
  hasIcon: boolean
}

/** Labels are made of three fields, first and last name when none are named. */
const labelOf = (
  values: { [field: string]: unknown },
  { labelFields, withEmail }: Shown,
  name: string,
): string => {
  const parts = labelFields.map((field) => (field ? values[field] : undefined)).filter(Boolean)
  const label = parts.length > 0 ? parts.join(' ') : name
  return withEmail && values.email ? `${label} ${values.email}` : label
}

const userRow = (view: UserView, shown: Shown): object => {
  const values = userValues(view)
  const { username } = view.user
  return {
    ...values,
    'entity-type': 'user',
    id: username,
    displayLabel: labelOf(values, shown, username),
    type: 'USER_TYPE',
    prefixed_id: `user:${username}`,
    ...(shown.hasIcon && { displayIcon: true }),
  }
}

const groupRow = ({ group, memberUsers, memberGroups, parentGroups }: GroupView, shown: Shown): object => ({
  groupname: group.groupname,
  grouplabel: group.label,
  description: group.description,
  members: memberUsers,
  subGroups: memberGroups,
  parentGroups,
  ...group.properties,
  'entity-type': 'group',
  id: group.groupname,
  displayLabel: group.label || group.groupname,
  type: 'GROUP_TYPE',
  prefixed_id: `group:${group.groupname}`,
  ...(shown.hasIcon && { displayIcon: true }),
})

const usersFor = async (
  { identities }: Session,
  { term, group, limit }: { term: string; group: string | undefined; limit: number },
) => {
  const { entries, total } = await searchUsers(identities, term || '*', { limit, offset: 0 })
  if (!group) return { entries, total }
  const members = new Set(await identities.allMembers([group]))
  const all =
    total > limit
      ? (await searchUsers(identities, term || '*', { limit: NO_LIMIT, offset: 0 })).entries
      : entries
  const inGroup = all.filter(({ username }) => members.has(username))
  return { entries: inGroup.slice(0, limit), total: inGroup.length }
}

const suggest = defineOperation({
  id: 'UserGroup.Suggestion',
  label: 'Get user/group suggestion',
  category: 'Users & Groups',
  description: 'Gives, as JSON, the users and groups to offer to somebody who types.',
  params: {
    searchTerm: { ...searchTerm('Beginning of the names.'), aliases: ['prefix'] },
    searchType: { type: 'string', values: Object.keys(KINDS), description: 'Users and groups when absent.' },
    groupRestriction: { type: 'string', description: 'Only users who belong to this group.' },
    userSuggestionMaxSearchResults: {
      type: 'integer',
      description:
        'More than these are counted, not listed; 0 for no limit, that of the directory when absent.',
    },
    firstLabelField: { type: 'string', description: 'firstName when absent.' },
    secondLabelField: { type: 'string', description: 'lastName when absent.' },
    thirdLabelField: { type: 'string', description: 'Field whose value is the third part of the label.' },
    hideFirstLabel: {
      type: 'boolean',
      description: 'Whether the first part of the label is left out.',
      default: false,
    },
    hideSecondLabel: {
      type: 'boolean',
      description: 'Whether the second part of the label is left out.',
      default: false,
    },
    hideThirdLabel: {
      type: 'boolean',
      description: 'Whether the third part of the label is left out.',
      default: false,
    },
    displayEmailInSuggestion: {
      type: 'boolean',
      description: 'Whether the label has the address for mail.',
      default: false,
    },
    hideIcon: { type: 'boolean', description: 'Whether suggestions have no icon.', default: false },
    lang: { type: 'string', description: 'Accepted for older clients.' },
  },
  methods: ({ method }) => [
    method('void', 'blob', async ({ context: { session, services }, params }) => {
      const kinds = KINDS[params.searchType || 'USER_GROUP_TYPE']
      if (!kinds)
        throw fail(
          'badRequest',
          `searchType: '${params.searchType}' is not one of ${Object.keys(KINDS).join(', ')}`,
        )
      const term = params.searchTerm?.trim() ?? ''
      const asked =
        params.userSuggestionMaxSearchResults ??
        session.directories.registry.get(USER_DIRECTORY)?.querySizeLimit ??
        0
      const limit = asked > 0 ? asked : NO_LIMIT
      const shown: Shown = {
        labelFields: [
          params.hideFirstLabel ? undefined : (params.firstLabelField ?? 'firstName'),
          params.hideSecondLabel ? undefined : (params.secondLabelField ?? 'lastName'),
          params.hideThirdLabel ? undefined : params.thirdLabelField,
        ],
        withEmail: params.displayEmailInSuggestion,
        hasIcon: !params.hideIcon,
      }
      const { identities } = session
      const users = kinds.users
        ? await usersFor(session, { term, group: params.groupRestriction, limit })
        : { entries: [], total: 0 }
      const groups = kinds.groups
        ? await searchGroups(identities, term || '*', { limit, offset: 0 })
        : { entries: [], total: 0 }
      if (users.total > limit || groups.total > limit)
        return jsonBlob(services, [{ warn_message: `More than ${limit} match: type more of the name` }])
      const rows = [
        ...(await viewUsers(identities, users.entries)).map((view) => userRow(view, shown)),
        ...(await viewGroups(identities, groups.entries)).map((view) => groupRow(view, shown)),
      ]
      return jsonBlob(services, rows)
    }),
  ],
})

export const userGroupSuggestionOperations: readonly Operation[] = [suggest]
