import { ASKED } from '../prelude/functions.js'
import type { Token } from './tokens.js'

/**
 * Methods whose cost is linear in their receiver. The engine stops a loop by itself, but not one native
 * call that works for minutes (`indexOf` of half a megabyte in a megabyte, `join` of a sparse list).
 */
const LINEAR_METHODS = new Set([
  ...['size', 'length', 'isEmpty', 'equals', 'equalsIgnoreCase', 'toUpperCase', 'toLowerCase', 'trim', 'get'],
  ...['charAt', 'substring', 'slice', 'toString', 'intValue', 'longValue', 'doubleValue', 'booleanValue'],
  ...['containsKey', 'hasFacet', 'hasSchema', 'getTime', 'getPropertyValue', 'toISOString'],
  ...['days', 'weeks', 'months', 'years', 'hours', 'minutes', 'seconds', 'format'],
  ...[
    'htmlEscape',
    'escapeHtml',
    'nxqlEscape',
    'concatenateIntoList',
    'concatenateValuesAsNewList',
    'date',
    'calendar',
  ],
  // Their arguments are passed to the host, which is not waited for inside.
  ...[...Object.values(ASKED).flat(), 'getParent', 'resolvePath', 'resolvePathAsRef'],
])

/** Call a function once for each element of a list, which has no more elements than it has received characters. */
const EACH_METHODS = new Set(['filter', 'map', 'some', 'every', 'find', 'findIndex'])

/** Linear as long as what is looked for, or put between, is a short literal. */
const SEARCH_METHODS = new Set([
  'join',
  'contains',
  'indexOf',
  'lastIndexOf',
  'includes',
  'startsWith',
  'endsWith',
  'split',
])
const SHORT = 64

/** Comparing two values of megabytes takes milliseconds: one expression may have only a few of them. */
const MAX_TOKENS = 250

const OPERATORS = new Set([
  ...[
    '(',
    ')',
    '[',
    ']',
    '.',
    ',',
    '?',
    ':',
    '?.',
    '.?',
    '!',
    '==',
    '!=',
    '===',
    '!==',
    '<',
    '>',
    '<=',
    '>=',
  ],
  ...['&&', '||', '??', '+', '-', '*', '%'],
])

const WORDS_THAT_MAY_LOOP = new Set([
  'function',
  'class',
  'async',
  'new',
  'yield',
  'await',
  'import',
  'super',
  'eval',
])

const NAVIGATION = ['.', '?.', '.?']

const isNavigated = (tokens: readonly Token[], at: number): boolean =>
  NAVIGATION.includes(tokens[at - 1]?.text ?? '')

/** `.filter(item =>`: the one function that an expression may have, at the one place that calls it. */
const isEach = (tokens: readonly Token[], open: number): boolean =>
  EACH_METHODS.has(tokens[open - 1]?.text ?? '') &&
  isNavigated(tokens, open - 1) &&
  tokens[open]?.text === '(' &&
  tokens[open + 1]?.kind === 'name' &&
  tokens[open + 2]?.text === '=>'

const isCallable = (tokens: readonly Token[], at: number): boolean => {
  const callee = tokens[at - 1]
  if (callee === undefined || callee.kind === 'punctuator')
    return callee?.text !== ')' && callee?.text !== ']'
  if (callee.kind !== 'name') return false
  if (['and', 'or', 'not', 'in', 'instanceof', 'typeof', 'isdef'].includes(callee.text)) return true
  // A name alone may stand for whatever the expression has assigned to it.
  if (!isNavigated(tokens, at - 1)) return false
  if (LINEAR_METHODS.has(callee.text) || isEach(tokens, at)) return true
  const argument = tokens[at + 1]
  const isShortLiteral =
    argument?.kind === 'string' && argument.text.length <= SHORT && tokens[at + 2]?.text === ')'
  // What splits is a regular expression: one of plain characters only is surely linear.
  if (callee.text === 'split' && /[\\^$.|?*+()[\]{}]/.test(argument?.text ?? '')) return false
  return SEARCH_METHODS.has(callee.text) && isShortLiteral
}

const isQuickToken = (tokens: readonly Token[], at: number): boolean => {
  const { kind, text } = tokens[at]!
  if (kind === 'template' || kind === 'regexp') return false
  if (kind === 'name') return !WORDS_THAT_MAY_LOOP.has(text) && !text.includes('\\')
  if (kind !== 'punctuator') return true
  if (text === '=>') return isEach(tokens, at - 2)
  if (text === '(' || text === '?.')
    return text === '(' ? isCallable(tokens, at) : tokens[at + 1]?.text !== '('
  return OPERATORS.has(text)
}

/**
 * Whether a map of MVEL's notation may stand among the tokens: `get` and its like would be functions of the expression's
 * choice on one, `Array` for one, whose lists have as many elements as their argument says.
 */
const hasMap = (tokens: readonly Token[]): boolean => {
  const ternaries: number[] = [0]
  for (const { kind, text } of tokens) {
    if (kind !== 'punctuator') continue
    if (text === '(' || text === '[') ternaries.push(0)
    else if (text === ')' || text === ']') ternaries.pop()
    else if (text === '?') ternaries.push((ternaries.pop() ?? 0) + 1)
    else if (text === ':') {
      const open = ternaries.pop() ?? 0
      if (open === 0) return true
      ternaries.push(open - 1)
    }
  }
  return false
}

/**
 * Whether an expression surely ends soon: no loop, assignment, regular expression or unknown call, and no function but
 * one that is called for each element of a list, so its work is bounded by its length times the size of the data, or that
 * size squared (`quickAllowance`). Everything else runs under the watchdog, which costs a thread (about 70 µs). A slash or
 * backslash outside of strings is refused: where lexers may disagree, the expression is not quick.
 */
export const isQuick = (tokens: readonly Token[]): boolean =>
  tokens.length <= MAX_TOKENS && tokens.every((_, at) => isQuickToken(tokens, at)) && !hasMap(tokens)
