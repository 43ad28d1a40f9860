import { randomUUID } from 'node:crypto'
import type { Principal } from '../../../access/security/index.js'
import { createRunQuota, type QuotaPlace, type RunQuota } from './quota.js'

/** How many conversions of one user may be open: those of the engine and those of all processes, together. */
export type ConversionQuota = RunQuota & {
  /**
   * Converts in this process.
   *
   * @throws tooManyRequests when the caller has reached the quota; administrators have none. What the work throws.
   */
  within<Result>(principal: Principal, work: () => Promise<Result>): Promise<Result>
}

/** Begins the ids of conversions that a process does itself. */
const HERE = 'here-'

/**
 * Milliseconds after which one of another process counts as ended: a process that died has not reported it. A film may
 * take an hour.
 */
const LONGEST = 7_200_000

/** @param place `store`: of conversions alone; `runs`: open conversions of the engine. */
export const createConversionQuota = (place: QuotaPlace): ConversionQuota => {
  const here = new Set<string>()
  const quota = createRunQuota({
    ...place,
    what: 'conversions',
    isHeld: ({ runId, ageMs }) => runId.startsWith(HERE) && (here.has(runId) || ageMs < LONGEST),
  })
  return {
    ...quota,
    within: async (principal, work) => {
      const id = `${HERE}${randomUUID()}`
      here.add(id)
      try {
        const leave = await quota.enter(principal, id)
        return await work().finally(leave)
      } finally {
        here.delete(id)
      }
    },
  }
}
