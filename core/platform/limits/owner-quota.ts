/** Places by owner: so many for each of them, and so many for all together. */
export type OwnerQuota = {
  /**
   * Takes places, 1 unless said otherwise. Who holds none may take more than there are for each.
   *
   * @returns what gives them back, once; undefined when there are not as many.
   */
  take(owner: string, places?: number): (() => void) | undefined
}

/** A quota without anybody in it. */
export const createOwnerQuota = ({ each, all }: { each: number; all: number }): OwnerQuota => {
  const held = new Map<string, number>()
  let taken = 0
  const give = (owner: string, places: number): void => {
    taken -= places
    const rest = (held.get(owner) ?? 0) - places
    if (rest > 0) held.set(owner, rest)
    else held.delete(owner)
  }
  return {
    take(owner, places = 1) {
      const own = held.get(owner) ?? 0
      if ((own > 0 && own + places > each) || (taken > 0 && taken + places > all)) return undefined
      held.set(owner, own + places)
      taken += places
      let isHeld = true
      return () => {
        if (isHeld) give(owner, places)
        isHeld = false
      }
    },
  }
}
