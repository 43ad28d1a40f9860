import { createGroup, createUser, updateGroup, updateUser } from '../../../access/identity/index.js'
import { fail } from '../../../platform/errors/index.js'
import { defineOperation, type Operation, type Parameter, VOID } from '../../language/index.js'

const CATEGORY = 'Users & Groups'

const MODES = ['createOrUpdate', 'create', 'update'] as const

const MODE = {
  type: 'string',
  values: MODES,
  description: 'create refuses what is there, update what is not; both ways when absent.',
} as const satisfies Parameter

const TENANT = { type: 'string', description: 'Accepted for older clients.' } as const satisfies Parameter

type Mode = (typeof MODES)[number]

/** @throws badRequest for a mode that there is not. */
const modeOf = (text: string | undefined): Mode => {
  const mode = MODES.find((known) => known === (text || 'createOrUpdate'))
  if (!mode) throw fail('badRequest', `mode: '${text}' is not one of ${MODES.join(', ')}`)
  return mode
}

/** Further values by bare names: callers may write them with the schema before them. */
const bare = (properties: { [name: string]: unknown } = {}, schema: string): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [
      name.startsWith(`${schema}:`) ? name.slice(schema.length + 1) : name,
      value,
    ]),
  )

const withoutUndefined = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

/** Whether to create: what is there already is updated, unless the mode is to create, which then refuses. */
const creates = (mode: Mode, isThere: boolean): boolean =>
  mode === 'create' || (mode === 'createOrUpdate' && !isThere)

const user = defineOperation({
  id: 'User.CreateOrUpdate',
  label: 'Create or Update User',
  category: CATEGORY,
  description: 'Creates a user, or changes the given values of one.',
  isAdministrative: true,
  params: {
    username: { type: 'string', description: 'Name of the user.', isRequired: true },
    password: { type: 'string', description: 'The new password.' },
    email: { type: 'string', description: 'Address for mail.' },
    firstName: { type: 'string', description: 'First name of the user.' },
    lastName: { type: 'string', description: 'Last name of the user.' },
    company: { type: 'string', description: 'Company of the user.' },
    tenantId: TENANT,
    groups: { type: 'stringlist', description: 'The groups that name the user; left alone when absent.' },
    properties: { type: 'properties', description: 'Values of further fields of the schema `user`.' },
    mode: MODE,
  },
  methods: ({ method }) => [
    method('void', 'void', async ({ context: { session }, params }) => {
      const { mode: asked, properties, tenantId: _tenant, ...named } = params
      const mode = modeOf(asked)
      const given = { ...bare(properties, 'user'), ...withoutUndefined(named), username: params.username }
      const isThere = (await session.identities.user(params.username)) !== undefined
      if (creates(mode, isThere)) await createUser(session, given)
      else await updateUser(session, params.username, given)
      return VOID
    }),
  ],
})

const group = defineOperation({
  id: 'Group.CreateOrUpdate',
  label: 'Create or Update Group',
  category: CATEGORY,
  description: 'Creates a group, or changes the given values and members of one.',
  isAdministrative: true,
  params: {
    groupname: { type: 'string', description: 'Name of the group.', isRequired: true },
    tenantId: TENANT,
    grouplabel: { type: 'string', description: 'Label of the group.' },
    description: { type: 'string', description: 'Description of the group.' },
    members: { type: 'stringlist', description: 'Users; left alone when absent.' },
    subGroups: { type: 'stringlist', description: 'Groups whose members belong to it too.' },
    parentGroups: { type: 'stringlist', description: 'Groups that it belongs to.' },
    properties: { type: 'properties', description: 'Values of further fields of the schema `group`.' },
    mode: MODE,
  },
  methods: ({ method }) => [
    method('void', 'void', async ({ context: { session }, params }) => {
      const { mode: asked, properties, tenantId: _tenant, members, subGroups, ...named } = params
      const mode = modeOf(asked)
      const given = {
        ...bare(properties, 'group'),
        ...withoutUndefined({ ...named, memberUsers: members, memberGroups: subGroups }),
        groupname: params.groupname,
      }
      const isThere = (await session.identities.group(params.groupname)) !== undefined
      if (creates(mode, isThere)) await createGroup(session, given)
      else await updateGroup(session, params.groupname, given)
      return VOID
    }),
  ],
})

export const identityWriteOperations: readonly Operation[] = [user, group]
