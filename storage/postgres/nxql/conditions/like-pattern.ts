/**
 * Turns an NXQL pattern into one for Postgres: `\_`, `\%` and `\\` are literal characters in both; before
 * another character NXQL drops the backslash, and ignores a final one (reference: nxql-search.md §3).
 */
export const likePattern = (pattern: string): string =>
  pattern.replace(/\\([\\%_])?/g, (_, kept: string | undefined) => (kept === undefined ? '' : `\\${kept}`))
