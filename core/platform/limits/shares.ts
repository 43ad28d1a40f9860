/** Places of which several owners make use, and no one so many that others find none. */
export type Shares = {
  /** Takes a place. @returns what gives it back; undefined when its owner has as many as it may at this moment. */
  take(owner: string): (() => void) | undefined
}

/** An owner may take so much of what the others leave: the next one finds some, and so does the one after it. */
const PART = 3 / 4

/** @param places how many there are. */
export const createShares = (places: number): Shares => {
  const held = new Map<string, number>()
  let taken = 0
  return {
    take(owner) {
      const own = held.get(owner) ?? 0
      const left = places - (taken - own)
      if (own >= Math.max(1, Math.floor(left * PART))) return undefined
      held.set(owner, own + 1)
      taken++
      return () => {
        taken--
        const rest = (held.get(owner) ?? 1) - 1
        if (rest > 0) held.set(owner, rest)
        else held.delete(owner)
      }
    },
  }
}
