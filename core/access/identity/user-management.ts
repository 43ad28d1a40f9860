import { z } from 'zod'
import { type Contributions, defineExtensionPoint } from '../../platform/contributions/index.js'
import { isPattern } from '../../platform/patterns/index.js'
import type { EntityListing, SubstringMatch, UserManagement } from './types.js'

const listing = z.strictObject({
  sortField: z.string().min(1).optional(),
  listingMode: z.enum(['all', 'tabbed', 'search_only']).optional(),
  searchFields: z
    .strictObject({ substring: z.array(z.string()).default([]), exact: z.array(z.string()).default([]) })
    .optional(),
  substringMatchType: z.enum(['subinitial', 'subfinal', 'subany']).optional(),
})

type ListingContent = z.output<typeof listing>

const managementContent = z.strictObject({
  defaultGroup: z.string().nullable().optional().describe('Group of every user, without being listed'),
  defaultAdministrators: z.array(z.string().min(1)).optional().describe('Users who may do everything'),
  administratorsGroups: z
    .array(z.string().min(1))
    .default([])
    .describe('Groups whose members are administrators, beside `administrators`'),
  disableDefaultAdministratorsGroup: z.boolean().default(false),
  userPasswordPattern: z
    .string()
    .refine(isPattern, 'not a regular expression')
    .optional()
    .describe('A regular expression that a new password must match somewhere'),
  users: listing.default({}),
  groups: listing.default({}),
})

const THE_ONE = 'default'

/** How users and groups are managed (reference: security.md §8); its one contribution is named `default`. */
export const userManagerPoint = defineExtensionPoint({
  point: 'userManager',
  elements: {
    userManager: {
      defaultName: THE_ONE,
      keys: {
        ...{ defaultAdministratorId: 'defaultAdministrators', administratorsGroup: 'administratorsGroups' },
        ...{ userSortField: 'users.sortField', groupSortField: 'groups.sortField' },
        ...{ substringMatchSearchField: 'substring', exactMatchSearchField: 'exact' },
      },
      ignored: [
        ...['class', 'append', 'directory', 'emailField', 'userCacheName', 'digestAuthDirectory'],
        ...['digestAuthRealm', 'groupLabelField', 'membersField', 'subGroupsField', 'parentGroupsField'],
      ],
    },
  },
  schema: managementContent,
  check: (_, { name }) => (name === THE_ONE ? [] : [{ path: [], message: `the name must be "${THE_ONE}"` }]),
})

const SUBSTRING_MATCH: SubstringMatch = 'subany'

const listingOf = (content: ListingContent, sortField: string, fields: readonly string[]): EntityListing => ({
  sortField: content.sortField ?? sortField,
  listingMode: content.listingMode ?? 'search_only',
  searchFields: content.searchFields ?? { substring: fields, exact: [] },
  substringMatch: content.substringMatchType ?? SUBSTRING_MATCH,
})

/** The rules of user management that a deployment contributes, over the defaults of the product. */
export const buildUserManagement = (contributions: Contributions): UserManagement => {
  const content = contributions.get(userManagerPoint).get(THE_ONE) ?? managementContent.parse({})
  const groups = content.disableDefaultAdministratorsGroup ? [] : ['administrators']
  return {
    defaultGroup: content.defaultGroup === undefined ? 'members' : content.defaultGroup,
    defaultAdministrators: content.defaultAdministrators ?? ['Administrator'],
    administratorGroups: [...new Set([...groups, ...content.administratorsGroups])],
    ...(content.userPasswordPattern !== undefined && { passwordPattern: content.userPasswordPattern }),
    users: listingOf(content.users, 'username', ['username', 'firstName', 'lastName']),
    groups: listingOf(content.groups, 'groupname', ['groupname', 'grouplabel']),
  }
}
