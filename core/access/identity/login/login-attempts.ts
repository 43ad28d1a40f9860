import { LRUCache } from 'lru-cache'

/** Wrong passwords of an account within an hour, from wherever; the next are not checked. */
const MAX_ATTEMPTS = 100
const WINDOW_MS = 3_600_000

const MAX_ACCOUNTS = 10_000

/** Counts the wrong passwords of each account. */
export type LoginAttempts = {
  /** Counts an attempt before it is checked. @returns seconds until the next is allowed, when it is one too many. */
  begin(account: string): Promise<number | undefined>
  /** An attempt was right, or could not be checked: it does not count. */
  forgive(account: string): Promise<void>
}

/** Attempts of this process, known and unknown accounts alike. */
export const createLoginAttempts = (now: () => number): LoginAttempts => {
  const known = new LRUCache<string, number[]>({ max: MAX_ACCOUNTS })
  return {
    begin: async (account) => {
      const since = now() - WINDOW_MS
      const recent = (known.get(account) ?? []).filter((at) => at > since)
      known.set(account, recent)
      const first = recent[0]
      if (first !== undefined && recent.length >= MAX_ATTEMPTS) return Math.ceil((first - since) / 1000)
      recent.push(now())
      return undefined
    },
    forgive: async (account) => {
      known.get(account)?.pop()
    },
  }
}
