import { defineOperation, documentValue, type Operation } from '../automation/index.js'
import { addAce, blockInheritance, getAcls, removeAces, setAcls } from '../documents/index.js'
import { fail } from '../errors/index.js'
import { type Ace, aceId, type PermissionModel } from '../security/index.js'
import { ACL_NAME } from './shared-parameters.js'

const CATEGORY = 'Document'

const requireKnown = (permissions: PermissionModel, permission: string): void => {
  if (!permissions.known.includes(permission))
    throw fail('badRequest', `permission: there is no permission '${permission}'`)
}

const addPermission = defineOperation({
  id: 'Document.AddPermission',
  aliases: ['Document.AddACL'],
  label: 'Add Permission',
  category: CATEGORY,
  description: 'Grants a user or a group a permission on the input document, for some time or for good.',
  params: {
    username: { type: 'string', isRequired: true, aliases: ['user'] },
    permission: { type: 'string', isRequired: true },
    acl: ACL_NAME,
    begin: { type: 'date' },
    end: { type: 'date' },
    blockInheritance: {
      type: 'boolean',
      default: false,
      description: 'Keep out what the documents above grant.',
    },
    notify: { type: 'boolean', default: false, description: 'Tell the user by mail; not available.' },
    comment: { type: 'string', description: 'What the mail says.' },
  },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context: { session }, input, params }) => {
      requireKnown(session.permissions, params.permission)
      if (params.username.trim() === '') throw fail('badRequest', 'username: must not be empty')
      if (params.notify) throw fail('notSupported', 'notify: mails about permissions are not available')
      const creator = session.principal.name
      const acls = await getAcls(session, input)
      const own = params.blockInheritance ? blockInheritance(acls, creator, params.acl) : acls
      const ace = {
        username: params.username,
        permission: params.permission,
        granted: true,
        creator,
        begin: params.begin ?? null,
        end: params.end ?? null,
      }
      return documentValue(await setAcls(session, input, addAce(own, ace, params.acl)))
    }),
  ],
})

/** Which entries a caller means: all of a user, else the one of an id (security.md §7). */
const namedBy = ({ user, id }: { user?: string; id?: string }): ((ace: Ace) => boolean) => {
  if (user) return ({ username }) => username === user
  if (id) return (ace) => aceId(ace) === id
  throw fail('badRequest', 'id: either the id of a permission or a user is needed')
}

const removePermission = defineOperation({
  id: 'Document.RemovePermission',
  label: 'Remove Permission',
  category: CATEGORY,
  description: 'Takes away one permission by its id, or all that the input document grants or denies a user.',
  params: {
    id: { type: 'string', description: 'As the ACLs of a document show it.' },
    user: { type: 'string' },
    acl: ACL_NAME,
  },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context: { session }, input, params }) => {
      const acls = removeAces(await getAcls(session, input), namedBy(params), params.acl)
      return documentValue(await setAcls(session, input, acls))
    }),
  ],
})

const block = defineOperation({
  id: 'Document.BlockPermissionInheritance',
  label: 'Block Permission Inheritance',
  category: CATEGORY,
  description: 'Keeps out what the documents above grant; the caller and the administrators keep everything.',
  params: { acl: ACL_NAME },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context: { session }, input, params }) => {
      const acls = blockInheritance(await getAcls(session, input), session.principal.name, params.acl)
      return documentValue(await setAcls(session, input, acls))
    }),
  ],
})

export const permissionOperations: readonly Operation[] = [addPermission, removePermission, block]
