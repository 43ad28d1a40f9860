import { fail } from '../errors/index.js'
import { computedSince, createWatchdog, StoppedByWatchdog } from '../sandbox/expressions/index.js'

/** The time that the patterns of one document may take, however many they are, ms. */
const MAX_MS = 100
/** The time that those of all documents of a transaction may take together, ms. */
const MAX_IN_TRANSACTION_MS = 300
/** Below this, matching is fast enough to be ignored, ms. */
const FREE_MS = 2

const watchdog = createWatchdog()
const spent = new WeakMap<object, number>()

/** A text, and the pattern that it must match. */
export type Matching = { pattern: string; text: string }

// As many as the content models have patterns; a compiled expression without flags g and y keeps no state.
const patterns = new Map<string, RegExp>()

/** XML Schema patterns match the whole text. */
const patternOf = (pattern: string): RegExp => {
  const known = patterns.get(pattern)
  if (known) return known
  const compiled = new RegExp(`^(?:${pattern})$`, 'u')
  patterns.set(pattern, compiled)
  return compiled
}

/** Whether texts match, by pattern and text. */
type Matches = Map<string, Map<string, boolean>>

/**
 * Patterns like `(a+)+` take exponential time, and nothing else happens in the process
 * meanwhile, so that matching is stopped from outside: all of it at once, which costs a thread (about 70 µs). Only
 * processor time counts, not the time of other work on a busy machine.
 */
const matchAll = (matchings: readonly Matching[], transaction: object): Matches => {
  const before = spent.get(transaction) ?? 0
  const most = Math.max(1, Math.min(MAX_MS, MAX_IN_TRANSACTION_MS - before))
  const matches: Matches = new Map()
  let at = 0
  const work = (): void => {
    for (; at < matchings.length; at++) {
      const { pattern, text } = matchings[at]!
      const ofPattern = matches.get(pattern) ?? new Map<string, boolean>()
      matches.set(pattern, ofPattern)
      ofPattern.set(text, patternOf(pattern).test(text))
    }
  }
  const start = process.cpuUsage()
  try {
    for (let left = most; left > 0; left = most - computedSince(start)) {
      // It may be stopped right after the last of them.
      if (isDoneWithin(work, Math.ceil(left)) || at === matchings.length) return matches
    }
    throw fail(
      'badRequest',
      `The values take longer than ${Math.ceil(most)} ms to match; the last pattern was ${matchings[at]!.pattern}`,
    )
  } finally {
    const took = computedSince(start)
    if (took > FREE_MS) spent.set(transaction, before + took)
  }
}

const isDoneWithin = (work: () => void, timeoutMs: number): boolean => {
  try {
    watchdog(work, timeoutMs)
    return true
  } catch (error) {
    if (error instanceof StoppedByWatchdog) return false
    throw error
  }
}

let known: Matches | undefined

/**
 * Does work that asks for these matches, which share one time limit.
 *
 * @param transaction the same for all work of a transaction, whose patterns share one time limit.
 * @throws badRequest when matching takes longer.
 */
export const withMatches = <T>(
  matchings: readonly Matching[],
  { work, transaction = {} }: { work: () => T; transaction?: object | undefined },
): T => {
  if (matchings.length === 0) return work()
  known = matchAll(matchings, transaction)
  try {
    return work()
  } finally {
    known = undefined
  }
}

/** Whether a text matches a pattern as a whole. @throws badRequest when that takes too long. */
export const isMatch = (pattern: string, text: string): boolean =>
  known?.get(pattern)?.get(text) ?? matchAll([{ pattern, text }], {}).get(pattern)!.get(text)!

/** Whether a pattern matches a text anywhere. @throws badRequest when that takes too long. */
export const isFound = (pattern: string, text: string): boolean => isMatch(`[^]*?(?:${pattern})[^]*`, text)

/** Whether a text is a regular expression. */
export const isPattern = (text: string): boolean => {
  try {
    new RegExp(text, 'u')
    return true
  } catch {
    return false
  }
}
