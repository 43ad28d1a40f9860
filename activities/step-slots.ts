import type { Principal } from '../core/access/security/index.js'
import { fail } from '../core/platform/errors/index.js'
import { createConcurrencyLimits } from '../core/platform/limits/index.js'

/** The slots of a worker for steps, shared fairly among users. */
export type StepSlots = {
  /**
   * Runs work in a slot of its user; administrators need none.
   *
   * @throws tooManyRequests, to be tried again, when the user has reached the limit. What the work throws.
   */
  within<Result>(
    step: { principal: Principal; isLocal: boolean },
    work: () => Promise<Result>,
  ): Promise<Result>
}

/** @param slots activities of each kind, local and queued ones, that the worker runs at once. */
export const createStepSlots = (slots: number): StepSlots => {
  const limits = { local: createConcurrencyLimits(slots), queued: createConcurrencyLimits(slots) }

  /** Long steps of one user must leave slots to others: what finds none for its user is tried again, by its policy. */
  const take = ({ name }: Principal, isLocal: boolean): (() => void) => {
    const release = limits[isLocal ? 'local' : 'queued'].take(name)
    if (release) return release
    const message = `${name} has as many steps under way in this worker as one user may have`
    throw fail('tooManyRequests', message, { retryable: true })
  }

  return {
    within: async ({ principal, isLocal }, work) => {
      if (principal.isAdministrator) return work()
      const release = take(principal, isLocal)
      try {
        return await work()
      } finally {
        release()
      }
    },
  }
}
