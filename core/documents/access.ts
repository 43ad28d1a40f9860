import { fail } from '../errors/index.js'
import { isGranted } from '../security/index.js'
import type { Session } from './session.js'
import type { LockMode } from './store.js'
import type { DocumentRecord, DocumentRef } from './types.js'

/** Permissions that somebody else's lock takes away (security.md §7, the built-in `lock` policy). */
const DENIED_BY_LOCK = new Set([
  'Write',
  'WriteProperties',
  'AddChildren',
  'Remove',
  'RemoveChildren',
  'WriteLifeCycle',
  'WriteVersion',
])

/** Whether the session's principal holds a permission on a document. */
export const hasPermission = async (
  session: Session,
  document: DocumentRecord,
  permission: string,
): Promise<boolean> => {
  const { principal, permissions, now } = session
  if (principal.isAdministrator) return true
  if (document.lockOwner && document.lockOwner !== principal.name && DENIED_BY_LOCK.has(permission))
    return false
  const acl = await session.store.effectiveAcl(document.aclId)
  return isGranted({ acl, principal, permission, permissions, now })
}

/**
 * Refuses with 403 naming permission and user; with 404, as if there were no such document, when the
 * principal may not even browse it. The 404 repeats the reference that was asked for, so that an id is not
 * learnt by asking for a path.
 */
export const requirePermission = async (
  session: Session,
  document: DocumentRecord,
  permission: string,
  askedAs: DocumentRef = document.id,
): Promise<void> => {
  if (await hasPermission(session, document, permission)) return
  if (!(await hasPermission(session, document, 'Browse'))) throw fail('notFound', askedAs)
  throw fail(
    'forbidden',
    `Privilege '${permission}' is not granted to '${session.principal.name}' on ${document.path ?? document.id}`,
  )
}

/**
 * Loads a document by id or path and checks a permission on it (`Read` when none is named).
 *
 * @throws notFound with the reference as its message, forbidden.
 */
export const getDocument = async (
  session: Session,
  ref: DocumentRef,
  options: { permission?: string; lock?: LockMode } = {},
): Promise<DocumentRecord> => {
  const document = await session.store.get(ref, options.lock)
  if (!document) throw fail('notFound', ref)
  await requirePermission(session, document, options.permission ?? 'Read', ref)
  return document
}

/** What may be read among documents found by other means than a query with security inside. */
export const keepReadable = async (
  session: Session,
  documents: readonly DocumentRecord[],
): Promise<DocumentRecord[]> => {
  const readable = await Promise.all(documents.map((document) => hasPermission(session, document, 'Read')))
  return documents.filter((_, position) => readable[position])
}
