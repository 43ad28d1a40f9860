/**
 * Whether a text is the pattern, whose stars stand for any text. Each piece is looked for where the one before it ends, so
 * that many stars take no longer than one.
 */
export const matchesStars = (text: string, pattern: string): boolean => {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return text === pattern
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const piece of rest) {
    const found = text.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}
