import { isFullRun } from './size.js'

/**
 * Where random tests begin: always at the same place, so that what they find is due to a change. Full runs
 * begin elsewhere each time, and `ARCHIVOLT_TEST_SEED` repeats one that failed.
 */
export const testSeed = (): number => {
  const { ARCHIVOLT_TEST_SEED: given } = process.env
  if (given) return Number(given)
  return isFullRun ? Date.now() % 1_000_000 : 1
}

/** Pseudo-random numbers in [0, 1) that a seed brings back (mulberry32). */
export const seededRandom = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
