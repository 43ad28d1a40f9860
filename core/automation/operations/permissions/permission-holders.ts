import { type Holder, permissionHolders, type Session, usersAmong } from '../../../content/documents/index.js'
import type { DocumentRecord } from '../../../model/properties/index.js'
import { defineOperation, documentValue, type Operation, type Parameter } from '../../language/index.js'
import { setVariable } from '../shared/context-variables.js'
import { unknownPermission } from './acl-entries.js'

const CATEGORY = 'Users & Groups'

const PERMISSION = {
  type: 'string',
  isRequired: true,
  description: 'The permission that they hold.',
} as const satisfies Parameter
const VARIABLE = {
  type: 'string',
  isRequired: true,
  description: 'The context variable to set.',
} as const satisfies Parameter
const IGNORE_GROUPS = {
  type: 'boolean',
  default: false,
  description: 'Leave groups out.',
} as const satisfies Parameter

/** @throws badRequest for an unknown permission. */
const holdersFor = async (
  session: Session,
  document: DocumentRecord,
  { permission, 'ignore groups': ignoresGroups }: { permission: string; 'ignore groups': boolean },
): Promise<Holder[]> => {
  if (!session.permissions.known.includes(permission)) throw unknownPermission(session, permission)
  const holders = await permissionHolders(session, document, permission)
  return holders.filter(({ kind }) => !(ignoresGroups && kind === 'group'))
}

const usersAndGroups = defineOperation({
  id: 'Context.GetUsersGroupIdsWithPermissionOnDoc',
  aliases: ['Document.GetUsersAndGroups'],
  label: 'Get Users and Groups',
  category: CATEGORY,
  description: 'Puts the names of those who hold a permission on the input document into a context variable.',
  params: {
    permission: PERMISSION,
    'variable name': VARIABLE,
    'ignore groups': IGNORE_GROUPS,
    'resolve groups': { type: 'boolean', default: false, description: 'Give the members of groups instead.' },
    'prefix identifiers': {
      type: 'boolean',
      default: false,
      description: 'Put user: or group: before each name.',
    },
  },
  methods: ({ method }) => [
    method('document', 'document', async ({ context, input, params }) => {
      const { session } = context
      const holders = await holdersFor(session, input, params)
      const named = params['resolve groups']
        ? (await usersAmong(session, holders)).map((name) => ({ name, kind: 'user' as const }))
        : holders
      const names = named.map(({ name, kind }) => (params['prefix identifiers'] ? `${kind}:${name}` : name))
      setVariable(context, params['variable name'], { type: 'json', value: names })
      return documentValue(input)
    }),
  ],
})

const emails = defineOperation({
  id: 'Context.GetEmailsWithPermissionOnDoc',
  aliases: ['Document.GetPrincipalEmails'],
  label: 'Get Principal Emails',
  category: CATEGORY,
  description:
    'Puts the addresses of those who hold a permission on the input document into a context variable.',
  params: { permission: PERMISSION, 'variable name': VARIABLE, 'ignore groups': IGNORE_GROUPS },
  methods: ({ method }) => [
    method('document', 'document', async ({ context, input, params }) => {
      const { session } = context
      const holders = await holdersFor(session, input, params)
      const users = await session.identities.users(await usersAmong(session, holders))
      const addresses = users.filter(({ isEnabled }) => isEnabled).flatMap(({ email }) => email || [])
      setVariable(context, params['variable name'], { type: 'json', value: [...new Set(addresses)] })
      return documentValue(input)
    }),
  ],
})

export const permissionHolderOperations: readonly Operation[] = [usersAndGroups, emails]
