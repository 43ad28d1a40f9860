import { SYSTEM } from '../../core/access/security/index.js'
import { isPropertyTrue } from '../../core/platform/configuration/index.js'
import { AUDIT_INDEXED, createAuditProjection } from '../../core/search/audit/index.js'
import { ELASTICSEARCH_ENABLED } from '../../core/search/indexing/index.js'
import type { Platform } from '../../runtime/index.js'
import { followRepositories } from '../events/index.js'

/** Poll intervals in milliseconds: the usual one, and the one while the search engine, or something else, is away. */
const LOOK_MS = 1_000
const AWAY_MS = 5_000

/** How often old entries are removed, milliseconds. */
const CLEAN_MS = 3_600_000
const DAY_MS = 86_400_000

/**
 * Copies the audit of every repository into the search engine.
 *
 * @returns a function that stops it.
 */
export const startAuditIndexing = (platform: Platform): (() => Promise<void>) =>
  followRepositories(
    platform,
    (own) => {
      const index = own.auditIndexes.get(own.repository)
      const project = index && createAuditProjection(index)
      const { auditDays } = own.settings
      let cleanedAt = Number.NEGATIVE_INFINITY
      return async () => {
        const { contributions } = own.snapshot()
        const isWanted = [ELASTICSEARCH_ENABLED, AUDIT_INDEXED].every((property) =>
          isPropertyTrue(contributions, property),
        )
        if (!index || !project || !isWanted) return AWAY_MS
        const isMore = await project(own.readSession(SYSTEM).stores.audit)
        if (auditDays !== undefined && performance.now() - cleanedAt > CLEAN_MS) {
          await index.removeBefore(new Date(Date.now() - auditDays * DAY_MS))
          cleanedAt = performance.now()
        }
        return isMore ? 0 : LOOK_MS
      }
    },
    { failure: 'the audit could not be indexed; will retry', failedMs: AWAY_MS },
  )
