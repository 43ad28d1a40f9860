import { ASKED } from './prelude/functions.js'
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
  // Their arguments are handed to the host, which is not waited for inside.
  ...[...Object.values(ASKED).flat(), 'getParent', 'resolvePath', 'resolvePathAsRef'],
])

/** Linear as long as what is looked for is a short literal. */
const SEARCH_METHODS = new Set([
  'contains',
  'indexOf',
  'lastIndexOf',
  'includes',
  'startsWith',
  'endsWith',
  'split',
])
const SHORT = 64

/** Comparing two values of megabytes takes milliseconds: few of them may stand in one expression. */
const MOST_TOKENS = 250

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

const isCallable = (tokens: readonly Token[], at: number): boolean => {
  const callee = tokens[at - 1]
  if (callee === undefined || callee.kind === 'punctuator')
    return callee?.text !== ')' && callee?.text !== ']'
  if (callee.kind !== 'name') return false
  if (['and', 'or', 'not', 'in', 'instanceof', 'typeof', 'isdef'].includes(callee.text)) return true
  if (LINEAR_METHODS.has(callee.text)) return true
  const argument = tokens[at + 1]
  const isShortLiteral =
    argument?.kind === 'string' && argument.text.length <= SHORT && tokens[at + 2]?.text === ')'
  return SEARCH_METHODS.has(callee.text) && isShortLiteral
}

const isQuickToken = (tokens: readonly Token[], at: number): boolean => {
  const { kind, text } = tokens[at]!
  if (kind === 'template' || kind === 'regexp') return false
  if (kind === 'name') return !WORDS_THAT_MAY_LOOP.has(text) && !text.includes('\\')
  if (kind !== 'punctuator') return true
  if (text === '(' || text === '?.')
    return text === '(' ? isCallable(tokens, at) : tokens[at + 1]?.text !== '('
  return OPERATORS.has(text)
}

/**
 * Whether an expression surely ends soon: no function, loop, assignment, regular expression or unknown
 * call, so its work is bounded by its length times the size of the data. Everything else runs under the
 * watchdog, which costs a thread (about 70 µs). A slash or backslash outside of strings is refused: where
 * lexers may disagree, the expression is not quick.
 */
export const isQuick = (tokens: readonly Token[]): boolean =>
  tokens.length <= MOST_TOKENS && tokens.every((_, at) => isQuickToken(tokens, at))
