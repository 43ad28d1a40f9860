import { type Ace, aceId } from '../../../access/security/index.js'
import {
  addAce,
  blockInheritance,
  changeAcls,
  removeAces,
  removeAcesByUsername,
  replaceAce,
  requireKnownName,
  requirePermission,
} from '../../../content/documents/index.js'
import { mailPermission } from '../../../content/notifications/index.js'
import type { DocumentRecord } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import {
  defineOperation,
  documentValue,
  type Operation,
  type OperationContext,
} from '../../language/index.js'
import { addressOf } from '../collaboration/mail.js'
import { ACL_NAME } from '../shared/parameters.js'
import { knownPermission, namedUsers, wholeAceId } from './acl-entries.js'
import { aclOperations } from './acls.js'

const CATEGORY = 'Document'

/** Entries that one call adds to ACLs, on all documents of its input together. */
const MAX_GRANTS = 10_000

const NOTIFY = { type: 'boolean', default: false, description: 'Notify the user by mail.' } as const
const COMMENT = { type: 'string', description: 'What the mail says.' } as const

/**
 * Notifies the holders of new entries by mail, when their caller wants it. Whoever cannot be notified has his permission all
 * the same.
 */
const notifyGrantees = async (
  context: OperationContext,
  document: DocumentRecord,
  aces: readonly Ace[],
): Promise<void> => {
  const { session, services } = context
  for (const ace of aces.filter(({ notify }) => notify)) {
    const mails = services.mail
      ? await mailPermission(session, document, {
          ace,
          sender: services.mail.sender,
          address: addressOf(context, document),
        })
      : 0
    if (mails > 0) continue
    const reason = services.mail ? 'nobody of its holders has a mail address' : 'no mail server is set'
    services.log('warn', 'nobody was notified of a permission', {
      reason,
      documentId: document.id,
      username: ace.username,
    })
  }
}

const dated = (params: { begin?: string; end?: string; notify: boolean; comment?: string }) => ({
  begin: params.begin ?? null,
  end: params.end ?? null,
  ...(params.notify && { notify: true }),
  ...(params.comment !== undefined && { comment: params.comment }),
})

const addPermission = defineOperation({
  id: 'Document.AddPermission',
  aliases: ['Document.AddACL'],
  label: 'Add Permission',
  category: CATEGORY,
  description: 'Grants users or groups a permission on the input document, for some time or for good.',
  params: {
    username: { type: 'string', description: 'Name of the user or group.', aliases: ['user'] },
    users: { type: 'stringlist', description: 'Several users or groups.', mostPairs: MAX_GRANTS },
    email: { type: 'string', description: 'Somebody without an account; needs an end.' },
    permission: {
      type: 'string',
      description: 'Name of the permission, such as ReadWrite.',
      isRequired: true,
      names: 'permission',
    },
    acl: ACL_NAME,
    begin: { type: 'date', description: 'When the permission begins; absent: at once.' },
    end: { type: 'date', description: 'When the permission ends; absent: never.' },
    blockInheritance: {
      type: 'boolean',
      default: false,
      description: 'Keep out what the documents above grant.',
    },
    notify: NOTIFY,
    comment: COMMENT,
  },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context, input, params }) => {
      const { session } = context
      await requirePermission(session, input, 'WriteSecurity')
      const permission = knownPermission(session, params.permission)
      const names = await namedUsers(session, params)
      const creator = session.principal.name
      const administrators = session.identities.rules.administratorGroups
      const aces = names.map(
        (username): Ace => ({ username, permission, granted: true, creator, ...dated(params) }),
      )
      const changed = await changeAcls(session, input, (acls) => {
        const own = params.blockInheritance
          ? blockInheritance(acls, { username: creator, administrators, name: params.acl })
          : acls
        return aces.reduce((all, ace) => addAce(all, ace, params.acl), own)
      })
      await notifyGrantees(context, changed, aces)
      return documentValue(changed)
    }),
  ],
})

const replacePermission = defineOperation({
  id: 'Document.ReplacePermission',
  aliases: ['Document.UpdatePermission'],
  label: 'Replace Permission',
  category: CATEGORY,
  description: 'Puts another permission in the place of one of the input document.',
  params: {
    id: { type: 'string', isRequired: true, description: 'As the ACLs of a document show it.' },
    username: {
      type: 'string',
      description: 'Name of the user or group.',
      isRequired: true,
      aliases: ['user'],
    },
    permission: {
      type: 'string',
      description: 'Name of the permission, such as ReadWrite.',
      isRequired: true,
      names: 'permission',
    },
    acl: ACL_NAME,
    begin: { type: 'date', description: 'When the permission begins; absent: at once.' },
    end: { type: 'date', description: 'When the permission ends; absent: never.' },
    notify: NOTIFY,
    comment: COMMENT,
  },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context, input, params }) => {
      const { session } = context
      const { username, acl } = params
      await requirePermission(session, input, 'WriteSecurity')
      const id = wholeAceId(params.id)
      const permission = knownPermission(session, params.permission)
      await requireKnownName(session, username, { parameter: 'username' })
      const ace = { username, permission, granted: true, creator: session.principal.name, ...dated(params) }
      const changed = await changeAcls(session, input, (acls) => replaceAce(acls, { id, ace, name: acl }))
      await notifyGrantees(context, changed, [ace])
      return documentValue(changed)
    }),
  ],
})

const removePermission = defineOperation({
  id: 'Document.RemovePermission',
  label: 'Remove Permission',
  category: CATEGORY,
  description: 'Takes away one permission by its id, or all that the input document grants or denies a user.',
  params: {
    id: { type: 'string', description: 'As the ACLs of a document show it.' },
    user: { type: 'string', description: 'Name of the user or group that loses its permissions.' },
    acl: ACL_NAME,
  },
  methods: ({ iterating }) => [
    iterating('document', 'document', async ({ context: { session }, input, params }) => {
      const { user, acl } = params
      if (!user && !params.id)
        throw fail('badRequest', 'id: either the id of a permission or a user is needed')
      const id = user ? undefined : wholeAceId(params.id ?? '')
      return documentValue(
        await changeAcls(session, input, (acls) =>
          user ? removeAcesByUsername(acls, user, acl) : removeAces(acls, (ace) => aceId(ace) === id, acl),
        ),
      )
    }),
  ],
})

export const permissionOperations: readonly Operation[] = [
  addPermission,
  replacePermission,
  removePermission,
  ...aclOperations,
]
