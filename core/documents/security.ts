import { fail } from '../errors/index.js'
import { type Ace, type Acl, EVERYONE, EVERYTHING } from '../security/index.js'
import { requirePermission } from './access.js'
import { documentEvent } from './events.js'
import type { Session } from './session.js'
import type { DocumentRecord } from './types.js'

/** The local ACLs of a document, in order. */
export const getAcls = async (session: Session, document: DocumentRecord): Promise<Acl[]> => {
  await requirePermission(session, document, 'ReadSecurity')
  return session.store.localAcls(document.id)
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

const isBlock = (ace: Ace): boolean =>
  !ace.granted && ace.username === EVERYONE && ace.permission === EVERYTHING

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
