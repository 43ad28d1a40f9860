import { LRUCache } from 'lru-cache'
import { fail } from '../errors/index.js'

/** Characters that somebody writes. */
export type WriteAccount = {
  /**
   * Counts characters that are about to be written; none: asks alone whether what is owed can be paid.
   *
   * @throws insufficientStorage when they would be more than one user may write in a day.
   */
  spend(characters: number): Promise<void>
  /** Counts characters that have been written already, or, below 0, were not: the next that is spent pays for them. */
  owe(characters: number): void
}

/** What users may write, each the same. */
export type WriteBudget = {
  /** Undefined for whom nothing limits: administrators, and the product itself. */
  of(writer: { name: string; isAdministrator: boolean }): WriteAccount | undefined
}

/** What all processes know of what users have written. */
export type WriteLedger = {
  /**
   * Adds to what a user has written, of which a day's budget is forgotten in each day, evenly.
   *
   * @returns false, and adds nothing, when it would be more than the budget.
   */
  take(username: string, characters: number, budget: number): Promise<boolean>
}

/** Characters that a process takes at a time, so that small writes ask nobody. */
const LEASE = 4 * 1024 * 1024

const MAX_LEASES = 10_000

/**
 * A budget that processes share by a ledger. What is taken and not written when a process ends is lost, which is little.
 *
 * @param budget characters that one user may write in 24 hours.
 */
export const createWriteBudget = (ledger: WriteLedger, budget: number): WriteBudget => {
  const left = new LRUCache<string, number>({ max: MAX_LEASES })
  const taking = new Map<string, Promise<void>>()

  const add = (username: string, characters: number): void => {
    left.set(username, (left.get(username) ?? 0) + characters)
  }

  const take = async (username: string, lacking: number): Promise<void> => {
    const owed = -(left.get(username) ?? 0)
    // What is owed may be more than the budget: it is paid as that comes back.
    const amounts = owed > 0 ? [Math.min(owed, budget)] : [lacking + LEASE, lacking]
    for (const wanted of amounts)
      if (wanted <= budget && (await ledger.take(username, wanted, budget))) return add(username, wanted)
    throw fail(
      'insufficientStorage',
      `${username} would have written more than the ${budget} characters that one user may write in a day (ARCHIVOLT_USER_WRITES_BYTES)`,
    )
  }

  const spend = async (username: string, characters: number): Promise<void> => {
    for (;;) {
      const lacking = characters - (left.get(username) ?? 0)
      if (lacking <= 0) return add(username, -characters)
      const others = taking.get(username)
      if (others) {
        await others.catch(() => undefined)
        continue
      }
      const own = take(username, lacking).finally(() => taking.delete(username))
      taking.set(username, own)
      await own
    }
  }

  return {
    of: ({ name, isAdministrator }) =>
      isAdministrator
        ? undefined
        : {
            spend: (characters) => spend(name, characters),
            owe: (characters) => add(name, -characters),
          },
  }
}
