import { expressionSource, productOf, type WorkflowFunction } from '../model/index.js'
import { type Moments, startOf } from './functions.js'

/** Stands in a source for a call of `WorkflowFn`. */
const MARK = '\u0001'

const COMPARED = new RegExp(
  `${MARK}(\\w+)${MARK}\\s*(>=|<=|>|<|==|!=)\\s*(-?[\\d][\\d\\s*]*)|(-?[\\d][\\d\\s*]*?)\\s*(>=|<=|>|<|==|!=)\\s*${MARK}(\\w+)${MARK}`,
  'g',
)
const WAITED = new RegExp(`${MARK}(\\w+) (\\d+)${MARK}`, 'g')

/** What of a condition stays as it is while its node waits, whatever the time. */
const CONSTANT = /^(?:[\s()!&|]|\b(?:true|false|and|or|not)\b)*$/

const productIn = (text: string): number => {
  const sign = text.trim().startsWith('-') ? -1 : 1
  return sign * (productOf(text.replace('-', '')) ?? 0)
}

/** The first moment after now at which time may change the answer of a condition, and whether nothing else can. */
const knownMoment = (condition: string, moments: Moments): { first: number | null; isTimeAlone: boolean } => {
  const found: number[] = []
  const add = (name: string, passed: number): string => {
    const start = startOf(name as WorkflowFunction, moments)
    // Of `<` and `>=` the answer changes when so much has passed, of `>` and `<=` a millisecond later.
    if (start !== null) found.push(start + passed, start + passed + 1)
    return ''
  }
  const rest = expressionSource(condition, (name, argument) => {
    if (name === 'ruleAlreadyExecuted') return 'true'
    return argument === undefined ? `${MARK}${name}${MARK}` : `${MARK}${name} ${argument}${MARK}`
  })
    .replace(WAITED, (_, name: string, passed: string) => add(name, Number(passed)))
    .replace(COMPARED, (_, before, _is, after, left, _is2, behind) =>
      before ? add(before, productIn(after)) : add(behind, productIn(left)),
    )
  const later = found.filter((moment) => moment > moments.now)
  return { first: later.length === 0 ? null : Math.min(...later), isTimeAlone: CONSTANT.test(rest) }
}

/**
 * When a condition that does not hold is to be evaluated again, ms since 1970; null: never by itself. One that depends
 * on more than time is looked at once a period, and at the moments that are known of it.
 */
export const nextMoment = (condition: string, moments: Moments, periodMs: number): number | null => {
  const { first, isTimeAlone } = knownMoment(condition, moments)
  return isTimeAlone ? first : Math.min(first ?? Number.POSITIVE_INFINITY, moments.now + periodMs)
}
