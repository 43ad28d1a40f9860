/** The median: one slow round has no effect. */
export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}

/** The quantile of values at a fraction from 0 to 1. */
export const quantile = (values: readonly number[], part: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN
}

/** The duration of work in milliseconds. */
export const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/**
 * Measures ours and its floor alternately, so that other load on the machine affects both.
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
    // The second one finds warm caches, so that the order alternates, too.
    const order = round % 2 === 0 ? [floor, ours] : [ours, floor]
    for (const values of order) values.push(await (values === ours ? measures.ours : measures.floor)())
  }
  return { ours: median(ours), floor: median(floor) }
}
