import {
  blockInheritance,
  changeAcls,
  removeAcl,
  requireKnownName,
  requirePermission,
  setAce,
  unblockInheritance,
} from '../../../content/documents/index.js'
import { defineOperation, documentValue, type Operation } from '../../language/index.js'
import { ACL_NAME } from '../shared/parameters.js'
import { knownPermission } from './acl-entries.js'

const CATEGORY = 'Document'

const block = defineOperation({
  id: 'Document.BlockPermissionInheritance',
  label: 'Block Permission Inheritance',
  category: CATEGORY,
  description: 'Keeps out what the documents above grant; the caller and the administrators keep everything.',
  params: { acl: ACL_NAME },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context: { session }, input, params }) => {
      const administrators = session.identities.rules.administratorGroups
      const username = session.principal.name
      return documentValue(
        await changeAcls(session, input, (acls) =>
          blockInheritance(acls, { username, administrators, name: params.acl }),
        ),
      )
    }),
  ],
})

const unblock = defineOperation({
  id: 'Document.UnblockPermissionInheritance',
  label: 'Unlock Permission Inheritance',
  category: CATEGORY,
  description: 'Lets in again what the documents above grant; what blocking granted stays.',
  params: { acl: ACL_NAME },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context: { session }, input, params }) =>
      documentValue(await changeAcls(session, input, (acls) => unblockInheritance(acls, params.acl))),
    ),
  ],
})

const setEntry = defineOperation({
  id: 'Document.AddACE',
  aliases: ['Document.SetACE'],
  label: 'Set ACL',
  category: CATEGORY,
  description:
    'Sets one entry of an ACL of the input document. Overwriting, which is the default, drops all others.',
  params: {
    user: { type: 'string', description: 'Name of the user or group.', isRequired: true },
    permission: {
      type: 'string',
      description: 'Name of the permission, such as ReadWrite.',
      isRequired: true,
      names: 'permission',
    },
    acl: ACL_NAME,
    grant: { type: 'boolean', default: true, description: 'false: the permission is denied.' },
    overwrite: { type: 'boolean', default: true, description: 'Drop every other entry of every ACL.' },
  },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context: { session }, input, params }) => {
      const { user: username, acl: name, overwrite } = params
      await requirePermission(session, input, 'WriteSecurity')
      const permission = knownPermission(session, params.permission)
      await requireKnownName(session, username, { parameter: 'user' })
      const ace = { username, permission, granted: params.grant }
      return documentValue(await changeAcls(session, input, (acls) => setAce(acls, { ace, overwrite, name })))
    }),
  ],
})

const remove = defineOperation({
  id: 'Document.RemoveACL',
  label: 'Remove ACL',
  category: CATEGORY,
  description: 'Removes a named ACL of the input document.',
  params: { acl: { type: 'string', description: 'Name of the ACL.', isRequired: true } },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context: { session }, input, params }) =>
      documentValue(await changeAcls(session, input, (acls) => removeAcl(acls, params.acl))),
    ),
  ],
})

export const aclOperations: readonly Operation[] = [block, unblock, setEntry, remove]
