const FIRST_MS = 500
const LONGEST_MS = 15_000

/** A server that lived this long counts as well again: its next death is its first. */
export const STABLE_MS = 60_000

/** How long to wait before restart number `attempt` (from 0) of a server that keeps dying. */
export const backoffMs = (attempt: number): number => Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt)
