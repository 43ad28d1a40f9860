/** Whether random and large tests run in their full size, from seeds of their own: `npm run test:full`. */
export const isFullRun = process.env.ARCHIVOLT_TEST_FULL === '1'

/** How many cases a random or large test does: a sample that a seed reproduces, or all of them in a full run. */
export const sized = ({ full, sample }: { full: number; sample: number }): number =>
  isFullRun ? full : sample

/** One in so many of a table of values is tried in a sample. */
const EVERY_NTH = 10

/**
 * The values of a table to try in one test: all in a full run, else a sample that differs from test to test, so that all
 * tests together try each of them.
 *
 * @param key what the test is about; the same key selects the same values.
 */
export const sampled = <Value>(values: readonly Value[], key: string): readonly Value[] => {
  if (isFullRun) return values
  const offset = [...key].reduce((sum, character) => sum + character.codePointAt(0)!, 0)
  return values.filter((_, index) => (index + offset) % EVERY_NTH === 0)
}
