import { distance } from 'fastest-levenshtein'

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

/** Edits that turn `a` into `b`; two swapped neighbours alone count as one, the commonest typing mistake. */
const editDistance = (a: string, b: string): number => (isSwapped(a, b) ? 1 : distance(a, b))

const isSwapped = (a: string, b: string): boolean => {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  return at + 1 < a.length && a.slice(0, at) + a[at + 1] + a[at] + a.slice(at + 2) === b
}
