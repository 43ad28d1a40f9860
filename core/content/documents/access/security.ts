import type { Ace, Acl } from '../../../access/security/index.js'
import type { DocumentRecord } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import { beginChange } from '../changes/begin.js'
import { announce, documentEvent, emit, notifyListeners } from '../events.js'
import type { Session } from '../session.js'
import { requirePermission } from './access.js'
import { requireFewEntries } from './acl-bounds.js'
import type { AclChange } from './acp.js'

/** The local ACLs of a document, in order; of a version, those of its live document. */
export const getAcls = async (session: Session, document: DocumentRecord): Promise<Acl[]> => {
  await requirePermission(session, document, 'ReadSecurity')
  return (await session.stores.acls.acp(document)).own
}

/** Name of the entries that a document inherits: computed, never stored (reference: security.md §7). */
const INHERITED = 'inherited'

/** The ACLs in force on a document: its own ones, then what it inherits, if anything (reference: security.md §7). */
export const getEffectiveAcls = async (session: Session, document: DocumentRecord): Promise<Acl[]> => {
  await requirePermission(session, document, 'ReadSecurity')
  const { own, inForce } = await session.stores.acls.acp(document)
  // What is in force begins with the own entries, or ends among them where one stops inheritance.
  const inherited = inForce.slice(own.reduce((count, { aces }) => count + aces.length, 0))
  return inherited.length === 0 ? own : [...own, { name: INHERITED, aces: inherited }]
}

/**
 * Changes the local ACLs of a document; its descendants inherit them from the same moment on, however many there
 * are. A change without effect saves nothing and emits no event.
 *
 * @param options `isChecked`: the caller has asked for the right already, in the same transaction.
 * @returns the document as it is then.
 * @throws notFound, forbidden without `WriteSecurity`, badRequest for a version, an entry that ends before it begins, and too
 *   many entries, inherited ones and those of what lies below included.
 */
export const changeAcls = async (
  session: Session,
  document: DocumentRecord,
  change: AclChange,
  { isChecked = false }: { isChecked?: boolean } = {},
): Promise<DocumentRecord> => {
  beginChange(session)
  const held = await session.stores.documents.get(document.id, 'write')
  if (!held) throw fail('notFound', document.id)
  if (!isChecked) await requirePermission(session, held, 'WriteSecurity')
  if (held.path === null)
    throw fail('badRequest', `Document ${held.id} is a version: its rights are those of its live document`)
  const before = await session.stores.acls.local(document.id)
  const after = change(before)
  if (after === before) return held
  for (const acl of after) requireValid(acl)
  requireFewEntries(before, after)
  await announce(session, 'beforeDocumentSecurityModification', held)
  const changed = await session.stores.acls.setLocal(held, after)
  return emit(session, changed, [documentEvent('documentSecurityUpdated', changed)])
}

/** Replaces the local ACLs of a document, as `changeAcls`. */
export const setAcls = (
  session: Session,
  document: DocumentRecord,
  acls: readonly Acl[],
): Promise<DocumentRecord> => changeAcls(session, document, () => acls)

/**
 * Gives a document that this transaction has created, and that has nothing below it, its first ACLs. Checks no rights.
 *
 * @returns the document as it is then.
 */
export const setFirstAcls = async (
  session: Session,
  created: DocumentRecord,
  acls: readonly Acl[],
): Promise<DocumentRecord> => {
  beginChange(session)
  for (const acl of acls) requireValid(acl)
  await announce(session, 'beforeDocumentSecurityModification', created)
  const events = [
    documentEvent('documentSecurityUpdated', { ...created, systemToken: created.systemToken + 1 }),
  ]
  const changed = await session.stores.acls.setFirst(created, acls, events)
  return notifyListeners(session, changed, events)
}

const MAX_NAME = 1_000

const requireValid = ({ name, aces }: Acl): void => {
  if (name.trim() === '' || name.length > MAX_NAME || name === INHERITED)
    throw fail('badRequest', `acl: '${name}' cannot be the name of an ACL`)
  for (const ace of aces) requireValidAce(ace)
}

/** The database has no year 0. */
const STORABLE_DATE = /^(?!0000)\d{4}-/

const requireValidAce = ({ username, permission, begin, end }: Ace): void => {
  if (username.trim() === '' || username.length > MAX_NAME)
    throw fail('badRequest', 'username: must not be empty')
  if (permission.trim() === '' || permission.length > MAX_NAME)
    throw fail('badRequest', 'permission: must not be empty')
  for (const [field, date] of Object.entries({ begin, end }))
    if (date && !STORABLE_DATE.test(date))
      throw fail('badRequest', `${field}: ${date} is not a date of the years 1 to 9999`)
  if (begin && end && new Date(begin) > new Date(end))
    throw fail('badRequest', `begin: ${begin} is after the end ${end}`)
}
