import { fail } from '../errors/index.js'
import { type Ace, type Acl, EVERYONE, EVERYTHING, isBlock } from '../security/index.js'
import { requirePermission } from './access.js'
import { documentEvent } from './events.js'
import type { Session } from './session.js'
import type { DocumentRecord } from './types.js'

/** The local ACLs of a document, in order. */
export const getAcls = async (session: Session, document: DocumentRecord): Promise<Acl[]> => {
  await requirePermission(session, document, 'ReadSecurity')
  return session.store.localAcls(document.id)
}

const INHERITED = 'inherited'

/** The ACLs in force on a document: its own ones, then what it inherits, which is never stored (security.md §7). */
export const getEffectiveAcls = async (session: Session, document: DocumentRecord): Promise<Acl[]> => {
  const own = await getAcls(session, document)
  const inForce = await session.store.effectiveAcl(document.aclId)
  // What is in force begins with the own entries, or ends among them where one stops inheritance.
  const inherited = inForce.slice(own.reduce((count, { aces }) => count + aces.length, 0))
  return inherited.length === 0 ? own : [...own, { name: INHERITED, aces: inherited }]
}

/**
 * Replaces the local ACLs of a document; what lies below inherits them from the same moment on.
 *
 * @throws forbidden without `WriteSecurity`, badRequest for an entry that ends before it begins.
 */
export const setAcls = async (
  session: Session,
  document: DocumentRecord,
  acls: readonly Acl[],
): Promise<DocumentRecord> => {
  await requirePermission(session, document, 'WriteSecurity')
  if (document.path === null)
    throw fail(
      'badRequest',
      `Document ${document.id} is a version: its rights are those of its live document`,
    )
  for (const ace of acls.flatMap((acl) => acl.aces)) requireOrder(ace)
  await session.store.lockSubtree(document)
  const changed = await session.store.setLocalAcls(document, acls)
  await session.store.emit([documentEvent('documentSecurityUpdated', changed)])
  return changed
}

const requireOrder = ({ begin, end }: Ace): void => {
  if (begin && end && new Date(begin) > new Date(end))
    throw fail('badRequest', `begin: ${begin} is after the end ${end}`)
}

const withAcl = (acls: readonly Acl[], name: string, change: (aces: readonly Ace[]) => Ace[]): Acl[] => {
  const existing = acls.find((acl) => acl.name === name)
  const changed = { name, aces: change(existing?.aces ?? []) }
  return existing ? acls.map((acl) => (acl === existing ? changed : acl)) : [...acls, changed]
}

/** Adds an entry before the one that blocks inheritance, else at the end (security.md §7, `addACE`). */
export const addAce = (acls: readonly Acl[], ace: Ace, name = 'local'): Acl[] =>
  withAcl(acls, name, (aces) => {
    const block = aces.findIndex(isBlock)
    return block < 0 ? [...aces, ace] : [...aces.slice(0, block), ace, ...aces.slice(block)]
  })

/** Takes entries out of one ACL. */
export const removeAces = (acls: readonly Acl[], isRemoved: (ace: Ace) => boolean, name = 'local'): Acl[] =>
  acls.map((acl) => (acl.name === name ? { name, aces: acl.aces.filter((ace) => !isRemoved(ace)) } : acl))

/**
 * Stops inheritance: whoever blocks and the administrators keep everything, everybody else gets only what
 * the document itself grants (security.md §7, `blockInheritance`).
 */
export const blockInheritance = (acls: readonly Acl[], username: string, name = 'local'): Acl[] =>
  withAcl(acls, name, (aces) =>
    aces.some(isBlock)
      ? [...aces]
      : [
          ...aces,
          { username, permission: EVERYTHING, granted: true, creator: username },
          { username: 'administrators', permission: EVERYTHING, granted: true, creator: username },
          { username: EVERYONE, permission: EVERYTHING, granted: false },
        ],
  )
