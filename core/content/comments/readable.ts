import { policyRestrictions } from '../../access/security/index.js'
import type { DocumentRecord } from '../../model/properties/index.js'
import { createCharacterBudget } from '../../platform/limits/index.js'
import { keepReadable, type Session } from '../documents/index.js'
import type { CommentsWanted } from '../stores/index.js'

type Wanted = Omit<CommentsWanted, 'principal'>

/** Comments that are checked at a time. */
const CHUNK = 200

/**
 * The wanted comments that the principal may read. The database knows of ACLs; where security policies hide
 * documents too, all comments are checked, so that the total does not reveal how many are hidden.
 */
export const readableComments = async (
  session: Session,
  wanted: Wanted,
): Promise<{ entries: DocumentRecord[]; total: number }> => {
  const { principal, permissions, stores } = session
  if (policyRestrictions(permissions.policies, principal).length === 0) {
    const { entries, total } = await stores.comments.list({ principal, ...wanted })
    return { entries: await keepReadable(session, entries), total }
  }
  const { limit = Number.POSITIVE_INFINITY, offset = 0, ...all } = wanted
  const entries: DocumentRecord[] = []
  const spend = createCharacterBudget(
    (most) => `Comments of more than ${most} characters are asked for: ask for pages (pageSize)`,
  )
  let total = 0
  for (let at = 0; ; at += CHUNK) {
    const some = await stores.comments.list({ principal, ...all, limit: CHUNK, offset: at })
    for (const entry of await keepReadable(session, some.entries)) {
      if (total >= offset && total < offset + limit) {
        spend(entry)
        entries.push(entry)
      }
      total++
    }
    if (some.entries.length < CHUNK) return { entries, total }
  }
}
