const LONGEST_WORD = 80

/** The candidate closest to a misspelt word, or undefined when none is close enough to be meant. */
export const didYouMean = (word: string, candidates: Iterable<string>): string | undefined => {
  if (word.length > LONGEST_WORD) return undefined
  const tolerance = Math.max(1, Math.floor(word.length / 3))
  let best: string | undefined
  let bestDistance = tolerance + 1
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) > tolerance) continue
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase())
    if (distance >= bestDistance) continue
    best = candidate
    bestDistance = distance
  }
  return best
}

/** The tail of an error message: `, did you mean "dublincore"?`, or nothing. */
export const suggestion = (word: string, candidates: Iterable<string>): string => {
  const meant = didYouMean(word, candidates)
  return meant === undefined ? '' : `, did you mean "${meant}"?`
}

/** Edits that turn `a` into `b`; two swapped neighbours count as one, the commonest slip of the hand. */
const editDistance = (a: string, b: string): number => {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1
      let edits = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + cost)
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (swapped) edits = Math.min(edits, beforeLast[column - 2]! + 1)
      current.push(edits)
    }
    beforeLast = last
    last = current
  }
  return last[b.length]!
}
