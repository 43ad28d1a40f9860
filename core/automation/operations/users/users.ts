import {
  type FieldMatch,
  requireManager,
  requireUser,
  searchUsers,
  type User,
  type UserView,
  viewUsers,
} from '../../../access/identity/index.js'
import type { Session } from '../../../content/documents/index.js'
import type { Properties, PropertyValue } from '../../../model/properties/index.js'
import { defineOperation, type Operation } from '../../language/index.js'
import { jsonBlob } from '../shared/json-blob.js'

const CATEGORY = 'Users & Groups'

/** Users that a query gives at most. */
const MAX_USERS = 1_000

/** The values of the schema `user`, by bare names; never the password. */
export const userValues = ({ user, ownGroups }: UserView): Properties => ({
  username: user.username,
  firstName: user.firstName,
  lastName: user.lastName,
  company: user.company,
  email: user.email,
  groups: [...ownGroups],
  ...user.properties,
})

/** A user in the shape of a document, as clients of this operation read it. */
const userDocument = ({ repository }: Session, view: UserView): PropertyValue => ({
  'entity-type': 'document',
  repository,
  uid: view.user.username,
  path: null,
  type: 'User',
  title: [view.user.firstName, view.user.lastName].filter(Boolean).join(' ') || view.user.username,
  properties: Object.fromEntries(
    Object.entries(userValues(view)).map(([name, value]) => [`user:${name}`, value]),
  ),
})

const get = defineOperation({
  id: 'User.Get',
  aliases: ['NuxeoPrincipal.Get'],
  label: 'Get Nuxeo Principal',
  category: CATEGORY,
  description: 'Gives the caller, or for those who manage users another user, in the shape of a document.',
  params: { login: { type: 'string', description: 'Name of the user; the caller when absent.' } },
  methods: ({ method }) => [
    method('void', 'document', async ({ context: { session }, params }) => {
      const { name } = session.principal
      if (params.login && params.login !== name) requireManager(session)
      const user = await requireUser(session, params.login || name)
      const [view] = await viewUsers(session.identities, [user])
      return { type: 'json', value: userDocument(session, view!) }
    }),
  ],
})

const query = defineOperation({
  id: 'User.Query',
  aliases: ['Services.QueryUsers'],
  label: 'Query Users',
  category: CATEGORY,
  description: 'Finds users by a text in their names, or by the beginnings of single values, as JSON.',
  params: {
    username: { type: 'string', description: 'Beginning of their names.' },
    firstName: { type: 'string', description: 'Beginning of their first names.' },
    lastName: { type: 'string', description: 'Beginning of their last names.' },
    pattern: {
      type: 'string',
      description: 'A text that is looked for in all fields that users are searched by.',
    },
    tenantId: { type: 'string', description: 'Accepted for older clients.' },
  },
  methods: ({ method }) => [
    method('void', 'blob', async ({ context: { session, services }, params }) => {
      const { identities } = session
      const page = { limit: MAX_USERS, offset: 0 }
      const allOf = (['username', 'firstName', 'lastName'] as const).flatMap((field): FieldMatch[] => {
        const value = params[field]
        return value ? [{ field, value, match: 'subinitial' }] : []
      })
      const { entries } = params.pattern
        ? await searchUsers(identities, params.pattern, page)
        : await identities.searchUsers({ allOf, sortField: identities.rules.users.sortField, ...page })
      return jsonBlob(services, { users: await valuesOf(session, entries) })
    }),
  ],
})

const valuesOf = async ({ identities }: Session, users: readonly User[]): Promise<Properties[]> =>
  (await viewUsers(identities, users)).map(userValues)

export const userOperations: readonly Operation[] = [get, query]
