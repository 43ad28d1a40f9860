/** What a process knows of changes of users and groups: values cached before the last change may be stale. */
export type IdentityChanges = {
  /** Grows with every change that this process learns of. */
  readonly count: number
  /** Whether a change of this process may be committed already without having been announced. */
  isPending(): boolean
  /** This process changes something in a transaction that has not ended. */
  written(): void
  /** Somebody's change was committed. */
  announced(): void
}

/** Longer than an announcement takes to come back after a commit. */
const PENDING_MS = 5_000

export const createIdentityChanges = (now: () => number = Date.now): IdentityChanges => {
  let count = 0
  let pendingUntil = 0
  return {
    get count() {
      return count
    },
    isPending: () => pendingUntil > now(),
    written: () => {
      count++
      pendingUntil = now() + PENDING_MS
    },
    announced: () => {
      count++
    },
  }
}
