/** Whether random and large tests run in their full size, from seeds of their own: `npm run test:full`. */
export const isFullRun = process.env.ARCHIVOLT_TEST_FULL === '1'

/** How many cases a random or large test does: a sample that a seed brings back, or all of them in a full run. */
export const sized = ({ full, sample }: { full: number; sample: number }): number =>
  isFullRun ? full : sample
