import { fail } from '../errors/index.js'
import { isGranted } from '../security/index.js'
import { requirePermission } from './access.js'
import type { Session } from './session.js'
import type { DocumentRecord } from './types.js'

/** Those of the effective ACLs that grant the principal a permission. */
export const grantedAclIds = async (
  { principal, permissions, now, store }: Session,
  aclIds: readonly number[],
  permission: string,
): Promise<number[]> => {
  const granted = await Promise.all(
    aclIds.map(async (id) =>
      isGranted({ acl: await store.effectiveAcl(id), principal, permission, permissions, now }),
    ),
  )
  return aclIds.filter((_, position) => granted[position])
}

/**
 * Locks a subtree for a change of structure, after checking the right to take it from where it is: `Remove`
 * on every document in it, not on its root alone, and `RemoveChildren` on the parent.
 */
export const claimSubtree = async (session: Session, root: DocumentRecord): Promise<void> => {
  if (root.path === '/') throw fail('badRequest', 'The root document can be neither removed nor moved')
  await requirePermission(session, root, 'Remove')
  const parent = root.parentId ? await session.store.get(root.parentId) : undefined
  if (parent) await requirePermission(session, parent, 'RemoveChildren')
  const subtree = await session.store.lockSubtree(root)
  const { principal } = session
  if (principal.isAdministrator) return
  const isLocked = subtree.lockOwners.some((owner) => owner !== principal.name)
  const granted = await grantedAclIds(session, subtree.aclIds, 'Remove')
  if (isLocked || granted.length < subtree.aclIds.length) {
    throw fail(
      'forbidden',
      `Privilege 'Remove' is not granted to '${principal.name}' on all of ${root.path ?? root.id}`,
    )
  }
}
