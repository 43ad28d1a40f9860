import { setTimeout as pause } from 'node:timers/promises'
import { SYSTEM } from '../../../core/access/security/index.js'
import type { AuditIndex, IndexFeed, QueryBackend } from '../../../core/content/stores/index.js'
import type { Availability } from './availability.js'

const LOOK_MS = 50

type Settling = {
  feed: IndexFeed
  availability: Availability
  auditIndex: AuditIndex
  isAuditIndexed: () => boolean
}

/** Waits until the index has been notified of what is committed, unless the repository answers searches in its place. */
export const createSettled = ({
  feed,
  availability,
  auditIndex,
  isAuditIndexed,
}: Settling): QueryBackend['settled'] => {
  type Mark = Awaited<ReturnType<IndexFeed['mark']>>
  const hasDocuments = async (mark: Mark): Promise<boolean> => {
    const live = await availability.live(SYSTEM)
    return !live || feed.isPast(live, mark)
  }
  const hasAudit = async (mark: Mark): Promise<boolean> => {
    if (!isAuditIndexed()) return true
    const newest = await feed.audited(mark)
    return newest !== undefined && (await auditIndex.newest()) >= newest
  }
  return async (timeoutMs, { withAudit = false } = {}) => {
    const endsAt = performance.now() + timeoutMs
    const mark = await feed.mark()
    for (const isTold of withAudit ? [hasDocuments, hasAudit] : [hasDocuments])
      while (!(await isTold(mark))) {
        if (performance.now() >= endsAt) return false
        await pause(LOOK_MS)
      }
    return true
  }
}
