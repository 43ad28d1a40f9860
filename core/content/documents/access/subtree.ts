import type { DocumentRecord } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import type { GrantedDocuments, Subtree, SubtreeFacts } from '../../stores/index.js'
import { staleDocument } from '../changes/stale.js'
import type { Session } from '../session.js'
import { isHeldByFacts, requirePermission } from './access.js'
import { commentAuthor } from './comment-rights.js'
import { excludedBelow } from './policy-queries.js'

/** The documents in a subtree on which the principal holds a permission; null when that is all. */
export const grantedBelow = async (
  session: Session,
  root: DocumentRecord,
  permission: string,
): Promise<GrantedDocuments | null> => {
  if (session.principal.isAdministrator) return null
  const kinds = await session.stores.subtrees.kinds(root)
  const granted = await Promise.all(kinds.map((facts) => isHeldByFacts(session, facts, permission)))
  return {
    kinds: kinds.filter((_, position) => granted[position]).map(({ kind }) => kind),
    except: await excludedBelow(session, root, permission),
  }
}

const requirePlace = async (session: Session, root: DocumentRecord, isComment: boolean): Promise<void> => {
  if (root.path === '/') throw fail('badRequest', 'The root document can be neither removed nor moved')
  await requirePermission(session, root, 'Remove')
  const parent = root.parentId && !isComment ? await session.stores.documents.get(root.parentId) : undefined
  if (parent) await requirePermission(session, parent, 'RemoveChildren')
}

const requireRemoveBelow = async (session: Session, root: Subtree, isComment: boolean): Promise<void> => {
  const { principal } = session
  // All below a comment are replies to it, which are removed with it whoever wrote them.
  if (principal.isAdministrator || isComment) return
  const refused = fail(
    'forbidden',
    `Privilege 'Remove' is not granted to '${principal.name}' on all of ${root.path ?? root.id}`,
  )
  for (const kind of await session.stores.subtrees.kinds(root))
    if (!(await isHeldByFacts(session, kind, 'Remove'))) throw refused
  if ((await excludedBelow(session, root, 'Remove')).length > 0) throw refused
}

/** Checks the right to take a subtree from where it is, without locking it. @throws badRequest, forbidden. */
export const requireRemoval = async (session: Session, root: DocumentRecord): Promise<void> => {
  const isComment = commentAuthor(root) !== undefined
  await requirePlace(session, root, isComment)
  await requireRemoveBelow(session, root, isComment)
}

/**
 * Locks a subtree for a change of structure, after checking the right to take it from where it is: `Remove`
 * on every document in it, not on its root alone, and `RemoveChildren` on the parent.
 *
 * @throws badRequest for the root document, forbidden, conflict (retryable) when it was moved meanwhile.
 */
export const claimSubtree = async (session: Session, root: Subtree): Promise<SubtreeFacts> => {
  const isComment = commentAuthor(root) !== undefined
  await requirePlace(session, root, isComment)
  const subtree = await session.stores.subtrees.lock(root)
  // Between its reading and its locking it may have been moved: then another subtree is locked.
  const locked = await session.stores.documents.get(root.id)
  if (!locked || locked.path !== root.path || locked.parentId !== root.parentId) throw staleDocument(root.id)
  await requireRemoveBelow(session, root, isComment)
  return subtree
}
