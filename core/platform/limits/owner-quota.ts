/** Places by owner: so many for each of them, and so many for all together. */
export type OwnerQuota = {
  /** Takes a place. @returns what gives it back, once; undefined when there is none. */
  take(owner: string): (() => void) | undefined
}

/** A quota without anybody in it. */
export const createOwnerQuota = ({ each, all }: { each: number; all: number }): OwnerQuota => {
  const held = new Map<string, number>()
  let taken = 0
  const give = (owner: string): void => {
    taken--
    const rest = (held.get(owner) ?? 1) - 1
    if (rest > 0) held.set(owner, rest)
    else held.delete(owner)
  }
  return {
    take(owner) {
      const own = held.get(owner) ?? 0
      if (own >= each || taken >= all) return undefined
      held.set(owner, own + 1)
      taken++
      let isHeld = true
      return () => {
        if (isHeld) give(owner)
        isHeld = false
      }
    },
  }
}
