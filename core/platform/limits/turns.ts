/** Runs work in one of a fixed number of places; what finds none free waits, in order. */
export type Turns = <Result>(work: () => Promise<Result>) => Promise<Result>

export const createTurns = (places: number): Turns => {
  let free = places
  const waiting = new Set<() => void>()

  const leave = (): void => {
    const [enter] = waiting
    if (enter) {
      waiting.delete(enter)
      enter()
    } else free += 1
  }

  return async (work) => {
    if (free > 0) free -= 1
    else await new Promise<void>((enter) => waiting.add(enter))
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
