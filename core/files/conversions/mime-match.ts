/** The rank of `*`, which names every type. */
export const ANY_TYPE = 2

/** How closely a pattern (`image/png`, `image/*`, `*`) names a mime type: the lower the closer, null when it does not. */
export const patternRank = (pattern: string, mimeType: string): 0 | 1 | 2 | null => {
  const wanted = pattern.toLowerCase()
  if (wanted === mimeType) return 0
  if (wanted.endsWith('/*') && mimeType.startsWith(wanted.slice(0, -1))) return 1
  return wanted === '*' ? ANY_TYPE : null
}

/** The closest rank among several patterns. */
export const bestRank = (patterns: readonly string[], mimeType: string): 0 | 1 | 2 | null => {
  const ranks = patterns.map((pattern) => patternRank(pattern, mimeType)).filter((rank) => rank !== null)
  return ranks.length > 0 ? (Math.min(...ranks) as 0 | 1 | 2) : null
}
