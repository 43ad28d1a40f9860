/** The middle of what was measured: one slow round, ours or the floor's, changes nothing. */
export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}

/** The value that so large a part (0 to 1) of all values does not exceed. */
export const quantile = (values: readonly number[], part: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN
}

/** Milliseconds that work takes. */
export const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/**
 * Measures ours and its floor in turns, so that a machine that is busy for a while is busy for both.
 *
 * @returns the medians of all rounds but a first one, which warms both up.
 */
export const alternate = async (
  rounds: number,
  measures: { ours: () => Promise<number>; floor: () => Promise<number> },
): Promise<{ ours: number; floor: number }> => {
  await measures.floor()
  await measures.ours()
  const ours: number[] = []
  const floor: number[] = []
  for (let round = 0; round < rounds; round++) {
    // Whoever is second finds caches that the other has filled: they take turns at that, too.
    const order = round % 2 === 0 ? [floor, ours] : [ours, floor]
    for (const values of order) values.push(await (values === ours ? measures.ours : measures.floor)())
  }
  return { ours: median(ours), floor: median(floor) }
}
