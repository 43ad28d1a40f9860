/** Limits of concurrent work by owner, so that no owner takes the places of all others. */
export type ConcurrencyLimits = {
  /** Takes a place. @returns a function that releases it; undefined when its owner has reached the limit. */
  take(owner: string): (() => void) | undefined
}

/** The part of the remaining places that one owner may take, which leaves some for the next ones. */
const PART = 3 / 4

/** @param places number of places for all owners together. */
export const createConcurrencyLimits = (places: number): ConcurrencyLimits => {
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
