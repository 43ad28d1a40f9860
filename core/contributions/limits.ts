/** Longest text of a contribution, in characters. Larger ones are programs, and belong in scripts. */
export const MAX_TEXT_LENGTH = 256 * 1024
