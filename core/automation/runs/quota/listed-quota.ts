import { LRUCache } from 'lru-cache'
import type { Principal } from '../../../access/security/index.js'
import { fail } from '../../../platform/errors/index.js'
import { LAG, type OpenRuns } from './ended-runs.js'
import { type KnownUser, look, newUser, openOf } from './known-user.js'

/** How many of something one user may have open, by the engine's list of it. */
export type ListedQuota = {
  /**
   * Counts a run that is to begin.
   *
   * @throws tooManyRequests when its caller has reached the quota; administrators have none.
   */
  enter(principal: Principal, runId: string): Promise<void>
  /** Reports the end of a run. */
  leave(principal: Principal, runId: string): void
}

/** Minimum interval between two lists for a user whose quota is used up, milliseconds. */
const PAUSE = 250

const MAX_KNOWN = 10_000

/**
 * Lists a user's open runs at the first call, and when the quota seems to be used up: calls between them cost
 * nothing. Other processes start runs, too, so that the quota may be exceeded for a moment.
 */
export const createListedQuota = ({
  max,
  runs,
  what,
  now = Date.now,
}: {
  max: number
  runs: OpenRuns
  /** Plural noun for messages. */
  what: string
  now?: () => number
}): ListedQuota => {
  const users = new LRUCache<string, KnownUser>({ max: MAX_KNOWN })

  const knownOf = (name: string): KnownUser => {
    const known = users.get(name)
    if (known) return known
    const created = newUser()
    users.set(name, created)
    return created
  }

  const looking = (name: string, user: KnownUser): Promise<void> => {
    user.looking ??= look({ max, runs, now }, name, user).finally(() => {
      user.looking = undefined
    })
    return user.looking
  }

  return {
    enter: async ({ name, isAdministrator }, runId) => {
      if (isAdministrator) return
      const user = knownOf(name)
      const isOld = (): boolean => openOf(user) >= max && now() - user.fullAt >= PAUSE
      if (user.open === undefined || isOld()) await looking(name, user)
      if (openOf(user) >= max)
        throw fail(
          'tooManyRequests',
          `User ${name} has ${max} open ${what}, which is the maximum; wait for one to end`,
          { retryAfter: Math.ceil(LAG / 1000) },
        )
      user.begun.set(runId, now())
    },
    leave: ({ name }, runId) => {
      const user = users.get(name)
      user?.begun.delete(runId)
      user?.open?.delete(runId)
    },
  }
}
