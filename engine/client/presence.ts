import type { WorkflowClientInterceptor } from '@temporalio/client'
import { engineFailure } from '../failures/index.js'

/** What this process knows of whether Temporal responds. */
export type Presence = {
  /** Asks it. @throws what the connection throws. */
  check(): Promise<void>
  /** For every client of the process. */
  interceptors: readonly WorkflowClientInterceptor[]
}

/**
 * Lets starts of runs fail at once while Temporal is known to be away, where its client would try for some twenty
 * seconds. A start or a check that has failed is how it is known; then the next start asks first. One that comes while a check is
 * under way waits for its answer, as the check may be the first to find Temporal away.
 *
 * @param ask throws when Temporal does not respond within a second or two.
 */
export const createPresence = (ask: () => Promise<void>): Presence => {
  let isAway = false
  let asking: Promise<void> | undefined

  const look = async (): Promise<void> => {
    try {
      await ask()
      isAway = false
    } catch (error) {
      isAway = true
      throw error
    } finally {
      asking = undefined
    }
  }

  const check = (): Promise<void> => {
    asking ??= look()
    return asking
  }

  return {
    check,
    interceptors: [
      {
        startWithDetails: async (input, next) => {
          if (isAway || asking) await check()
          try {
            return await next(input)
          } catch (error) {
            if (engineFailure(error)) isAway = true
            throw error
          }
        },
      },
    ],
  }
}
