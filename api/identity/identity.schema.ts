import { z } from 'zod'
import { component, pageOf } from '../openapi/index.js'
import { count, entity } from '../parse/index.js'

/** A page of users or groups; `q` is not trimmed. */
export const identitySearch = z.object({
  q: z.string().default('').describe('Search text; empty finds nothing, * finds all'),
  pageSize: count,
  currentPageIndex: count,
  offset: count,
})

/** A user (rest-documents.md §10); a deployment may have added properties. */
export const userEntitySchema = component(
  'user',
  z.object({
    'entity-type': z.literal('user'),
    id: z.string(),
    properties: z.looseObject({
      firstName: z.string().nullable(),
      lastName: z.string().nullable(),
      groups: z.array(z.string()).describe('Groups with the user as a direct member'),
      company: z.string().nullable(),
      email: z.string().nullable(),
      username: z.string(),
    }),
    extendedGroups: z
      .array(z.object({ name: z.string(), label: z.string(), url: z.string() }))
      .describe('The groups, and those that contain them'),
    isPartial: z.boolean(),
    isAdministrator: z.boolean(),
    isAnonymous: z.boolean(),
  }),
  'A user',
)

export const usersPage = pageOf('users', userEntitySchema)

/** A group (rest-documents.md §10); a deployment may have added properties. */
export const groupEntitySchema = component(
  'group',
  z.object({
    'entity-type': z.literal('group'),
    id: z.string(),
    groupname: z.string(),
    grouplabel: z.string(),
    properties: z.looseObject({
      groupname: z.string(),
      grouplabel: z.string(),
      description: z.string().nullable(),
    }),
    memberUsers: z.array(z.string()).optional(),
    memberGroups: z.array(z.string()).optional(),
    parentGroups: z.array(z.string()).optional(),
  }),
  'A group; its lists where fetch.group names them',
)

export const groupsPage = pageOf('groups', groupEntitySchema)

const asMap = (value: unknown): object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}

/** A map of values; anything else is an empty one. The user management validates the values. */
const values = z.preprocess(asMap, z.looseObject({})).optional()

/** A user in a request. */
export const userRequest = component(
  'userRequest',
  entity('user', {
    id: z.unknown().optional().describe('The name, unless the properties contain it'),
    properties: values.describe(
      'username, firstName, lastName, email, company, groups, password, and those that a deployment has added',
    ),
  }),
)

/** A change of one's own password. */
export const passwordChange = component(
  'passwordChange',
  z.preprocess(asMap, z.object({ oldPassword: z.unknown().optional(), newPassword: z.unknown().optional() })),
)

/** A group in a request: current clients send the values as `properties`, those of 7.4 beside them. */
export const groupRequest = component(
  'groupRequest',
  entity('group', {
    id: z.unknown().optional().describe('The name, unless another field contains it'),
    properties: z
      .preprocess(
        (value) => (typeof value === 'object' && value !== null ? { ...value } : {}),
        z.looseObject({}),
      )
      .optional()
      .describe('groupname, grouplabel, description, memberUsers, memberGroups, parentGroups'),
  }).catchall(z.unknown()),
)
