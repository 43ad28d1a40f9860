import { fail } from '../errors/index.js'

/** Longest text of a contribution, in characters. Larger ones are programs, and belong in scripts. */
export const MAX_TEXT_LENGTH = 256 * 1024

/** Most problems that are reported of one contribution: no suggestions are computed beyond it. */
export const MAX_FINDINGS = 100

/** Most contributions that are deployed together. */
export const MAX_PARTS = 1_000

/** Most lines and blanks that all parts of a file may start after, each of which repeats those before it. */
const MAX_BLANKS = 32 * MAX_TEXT_LENGTH

/** @throws tooLarge for more contributions than are deployed together. */
export const requireFewParts = (count: number): void => {
  if (count > MAX_PARTS)
    throw fail(
      'tooLarge',
      `${count} contributions are too many at once: at most ${MAX_PARTS} are deployed together`,
    )
}

/**
 * Checked before the parts of a file become texts of their own, in which each keeps its position in the file.
 *
 * @throws tooLarge for more parts than are deployed together, or for many that are far from the start.
 */
export const requireFewBlanks = (places: readonly { line: number; column: number }[]): void => {
  requireFewParts(places.length)
  const blanks = places.reduce((sum, { line, column }) => sum + line + column, 0)
  if (blanks > MAX_BLANKS)
    throw fail(
      'tooLarge',
      `The file has too many contributions for its ${Math.max(1, places.at(-1)?.line ?? 1)} lines; deploy it in several`,
    )
}
