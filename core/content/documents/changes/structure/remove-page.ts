import type { DocumentRecord } from '../../../../model/properties/index.js'
import { fail, requireAtomic } from '../../../../platform/errors/index.js'
import { claimSubtree, requireRemoval } from '../../access/subtree.js'
import type { Session } from '../../session.js'

/**
 * Whether a document can be removed page by page: what is left is a whole tree at any moment, but for proxies that
 * show something else of it.
 *
 * @throws badRequest, forbidden as `removeDocument` does, before anything is removed.
 */
export const isRemovedInPages = async (session: Session, document: DocumentRecord): Promise<boolean> => {
  await requireRemoval(session, document)
  return document.path !== null && !(await session.stores.subtrees.facts(document)).hasTargets
}

/**
 * Removes for good, with their versions, documents from below another one: the last by path, so that none of them has
 * anything below it that stays. The events are those of the removal of what is above.
 *
 * @param most how many at a time.
 * @throws as `removeDocument`.
 */
export const removePageBelow = async (
  session: Session,
  document: DocumentRecord,
  most: number,
): Promise<void> => {
  requireAtomic(session)
  const page = await session.stores.subtrees.lastBelow(document, most)
  const { hasTargets } = await claimSubtree(session, page)
  if (hasTargets && (await session.stores.subtrees.countProxiesFromOutside(page)) > 0)
    throw fail('conflict', `A live proxy shows something below ${document.path ?? document.id}`)
  await session.stores.collections.leave(page)
  await session.stores.subtrees.remove(page, [])
}
