import { EVERYONE, isGranted, principalOf } from '../../../access/security/index.js'
import type { DocumentRecord } from '../../../model/properties/index.js'
import type { Session } from '../index.js'
import { requirePermission } from '../index.js'

export type Holder = { name: string; kind: 'user' | 'group' }

/**
 * The users and groups that the rights on a document name, and that hold a permission by them; administrators
 * only as far as they are named.
 *
 * @throws notFound, forbidden without `ReadSecurity`.
 */
export const permissionHolders = async (
  session: Session,
  document: DocumentRecord,
  permission: string,
): Promise<Holder[]> => {
  await requirePermission(session, document, 'ReadSecurity')
  const { identities, permissions, now } = session
  const acl = await session.stores.acls.effective(document.aclId)
  const names = [...new Set(acl.map(({ username }) => username))]
  const users = new Set((await identities.users(names)).map(({ username }) => username))
  const holders: Holder[] = []
  for (const name of names) {
    const isUser = users.has(name)
    const groups = isUser ? await identities.groupsOf(name) : await identities.withAncestors([name])
    const { defaultGroup } = identities.rules
    const principal = principalOf(name, defaultGroup && isUser ? [...groups, defaultGroup] : groups, false)
    if (isGranted({ acl, principal, permission, permissions, now }))
      holders.push({ name, kind: isUser ? 'user' : 'group' })
  }
  return holders
}

/** The users among holders, and those who belong to the groups among them; everybody is left out. */
export const usersAmong = async ({ identities }: Session, holders: readonly Holder[]): Promise<string[]> => {
  const groups = holders.filter(({ kind, name }) => kind === 'group' && name !== EVERYONE)
  const members = groups.length > 0 ? await identities.allMembers(groups.map(({ name }) => name)) : []
  return [...new Set([...holders.filter(({ kind }) => kind === 'user').map(({ name }) => name), ...members])]
}
