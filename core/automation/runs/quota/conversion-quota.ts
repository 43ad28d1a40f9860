import { randomUUID } from 'node:crypto'
import type { Principal } from '../../../access/security/index.js'
import type { OpenRuns } from './ended-runs.js'
import { createListedQuota, type ListedQuota } from './listed-quota.js'

/** How many conversions of one user may be open: those that the engine runs and those of this process, together. */
export type ConversionQuota = ListedQuota & {
  /**
   * Converts in this process.
   *
   * @throws tooManyRequests when the caller has reached the quota; administrators have none. What the work throws.
   */
  within<Result>(principal: Principal, work: () => Promise<Result>): Promise<Result>
}

/** @param runs open conversions of the engine. */
export const createConversionQuota = ({ max, runs }: { max: number; runs: OpenRuns }): ConversionQuota => {
  /** Ids of conversions of this process, with their users. */
  const here = new Map<string, string>()
  const quota = createListedQuota({
    max,
    what: 'conversions',
    runs: {
      list: async (username, limit) => [
        ...[...here].flatMap(([id, owner]) => (owner === username ? [id] : [])),
        ...(await runs.list(username, limit).catch((): string[] => [])),
      ],
      isOpen: async (id) => here.has(id) || runs.isOpen(id),
    },
  })
  return {
    ...quota,
    within: async (principal, work) => {
      const id = `here-${randomUUID()}`
      await quota.enter(principal, id)
      here.set(id, principal.name)
      try {
        return await work()
      } finally {
        here.delete(id)
        quota.leave(principal, id)
      }
    },
  }
}
