import { decideByPolicy, isGranted } from '../../../access/security/index.js'
import type { DocumentRecord, DocumentRef } from '../../../model/properties/index.js'
import { fail, isArchivoltError } from '../../../platform/errors/index.js'
import type { AccessFacts, LockMode } from '../../stores/index.js'
import type { Session } from '../session.js'
import { permissionNeeded } from './comment-rights.js'
import { meetsPolicyQueries } from './policy-queries.js'

/**
 * Whether the session's principal has a permission on a document: security policies are asked first, then the
 * ACL in force (reference: security.md §7, evaluation).
 */
export const hasPermission = async (
  session: Session,
  document: AccessFacts & Pick<DocumentRecord, 'id'>,
  permission: string,
): Promise<boolean> =>
  (await meetsPolicyQueries(session, document, permission)) && isHeldByFacts(session, document, permission)

/** The same, for all documents of a kind at once; what policies demand by a query is asked beside it. */
export const isHeldByFacts = async (
  session: Session,
  document: AccessFacts,
  permission: string,
): Promise<boolean> => {
  const { principal, permissions, now, model } = session
  if (principal.isAdministrator) return true
  const decided = decideByPolicy({
    policies: permissions.policies,
    principal,
    permission,
    document: () => ({ ...document, facets: model.facetsOf(document.type, document.facets) }),
  })
  if (decided !== undefined) return decided
  const acl = await session.stores.acls.effective(document.aclId)
  return isGranted({ acl, principal, permission, permissions, now, isVersion: document.isVersion })
}

/** Who keeps the principal from a document by a lock alone, for whoever may read the lock. */
const lockingOut = async (
  session: Session,
  document: DocumentRecord,
  permission: string,
): Promise<string | undefined> => {
  const { lockOwner } = document
  if (lockOwner === null || lockOwner === session.principal.name) return undefined
  const isFree = await hasPermission(session, { ...document, lockOwner: null }, permission)
  return isFree && (await hasPermission(session, document, 'Read')) ? lockOwner : undefined
}

/**
 * Refuses with 403 naming permission and user, and the lock where that is why; with 404, as if there were no such document, when the
 * principal may not browse it. The 404 repeats the reference that the caller sent, so that asking for a path does not
 * reveal an id.
 */
export const requirePermission = async (
  session: Session,
  document: DocumentRecord,
  permission: string,
  askedAs: DocumentRef = document.id,
): Promise<void> => {
  const needed = permissionNeeded(session, document, permission)
  if (needed !== null && (await hasPermission(session, document, needed))) return
  if (!(await hasPermission(session, document, 'Browse'))) throw fail('notFound', askedAs)
  const owner = needed === null ? undefined : await lockingOut(session, document, needed)
  const reason = owner === undefined ? '' : `, which ${owner} has locked`
  throw fail(
    'forbidden',
    `Privilege '${permission}' is not granted to '${session.principal.name}' on ${document.path ?? document.id}${reason}`,
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
  const document = await session.stores.documents.get(ref, options.lock)
  if (!document) throw fail('notFound', ref)
  await requirePermission(session, document, options.permission ?? 'Read', ref)
  return document
}

/**
 * The same for a document that a caller has named, whose error message says which one it is.
 *
 * @param what how messages name it; as the caller named it when absent.
 * @throws notFound saying that it does not exist, or may not be seen.
 */
export const getNamedDocument = async (
  session: Session,
  ref: string,
  what: string = ref,
): Promise<DocumentRecord> => {
  try {
    return await getDocument(session, ref)
  } catch (error) {
    if (!isArchivoltError(error) || error.code !== 'notFound') throw error
    throw fail('notFound', `${what} does not exist, or may not be seen`, { cause: error })
  }
}

/** The documents that may be read, among those found by other means than a query with security inside. */
export const keepReadable = async <Facts extends AccessFacts & Pick<DocumentRecord, 'id'>>(
  session: Session,
  documents: readonly Facts[],
): Promise<Facts[]> => {
  const readable = await Promise.all(documents.map((document) => hasPermission(session, document, 'Read')))
  return documents.filter((_, position) => readable[position])
}
