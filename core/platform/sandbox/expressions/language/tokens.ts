import { fail } from '../../../errors/index.js'

export type TokenKind = 'name' | 'number' | 'string' | 'template' | 'regexp' | 'punctuator'

/** One lexical element; `names` are the identifiers that the holes of a template literal read. */
export type Token = { kind: TokenKind; text: string; at: number; names?: readonly string[] }

// Longest first. `.?` is MVEL's null-safe navigation, `~=` its match with a regular expression.
const PUNCTUATORS = [
  ...['>>>=', '...', '===', '!==', '**=', '<<=', '>>=', '>>>', '&&=', '||=', '??='],
  ...['=>', '==', '!=', '<=', '>=', '&&', '||', '??', '?.', '.?', '++', '--', '+=', '-=', '*=', '/='],
  ...['%=', '&=', '|=', '^=', '<<', '>>', '**', '~='],
]

// After these words a slash begins a regular expression.
const PREFIX_WORDS = new Set([
  ...['return', 'typeof', 'case', 'in', 'of', 'instanceof', 'new', 'delete', 'void', 'throw', 'do', 'else'],
  ...['yield', 'await', 'and', 'or', 'not'],
])

// JavaScript's own line terminators: a comment must end where the engine ends it.
const LINE_ENDS = '\n\r\u2028\u2029'

const isSpace = (char: string): boolean => char.trim() === ''
const isDigit = (char: string): boolean => char >= '0' && char <= '9'

/** Letters of any script, digits, `$` and `_`. */
const isNameChar = (char: string): boolean =>
  isDigit(char) ||
  char === '$' ||
  char === '_' ||
  char.toLowerCase() !== char.toUpperCase() ||
  char > '\u02ff'

/** Whether an operand ends with this token, so that an operator or an index may follow. */
export const endsOperand = (token: Token | undefined): boolean => {
  if (token === undefined) return false
  if (token.kind === 'punctuator') return token.text === ')' || token.text === ']' || token.text === '}'
  return token.kind !== 'name' || !PREFIX_WORDS.has(token.text)
}

const skipComment = (source: string, at: number): number => {
  if (source.startsWith('//', at)) {
    let lineEnd = at
    while (lineEnd < source.length && !LINE_ENDS.includes(source[lineEnd]!)) lineEnd++
    return lineEnd
  }
  const end = source.indexOf('*/', at + 2)
  if (end < 0) throw fail('badRequest', `Unfinished comment at ${at + 1}`)
  return end + 2
}

const endOfString = (source: string, start: number): number => {
  for (let at = start + 1; at < source.length; at++) {
    if (source[at] === '\\') at++
    else if (source[at] === source[start]) return at + 1
  }
  throw fail('badRequest', `Unfinished string at ${start + 1}`)
}

const endOfRegexp = (source: string, start: number): number => {
  let inClass = false
  for (let at = start + 1; at < source.length && source[at] !== '\n'; at++) {
    const char = source[at]
    if (char === '\\') at++
    else if (char === '[') inClass = true
    else if (char === ']') inClass = false
    else if (char === '/' && !inClass) {
      let end = at + 1
      while (end < source.length && isNameChar(source[end]!)) end++
      return end
    }
  }
  throw fail('badRequest', `Unfinished regular expression at ${start + 1}`)
}

const endOfNumber = (source: string, start: number): number => {
  let at = start
  while (at < source.length) {
    const char = source[at]!
    const isExponentSign =
      (char === '+' || char === '-') && 'eE'.includes(source[at - 1]!) && source[start + 1] !== 'x'
    // `1.?x` and `1.name` are navigation on a number only after a second point, as in JavaScript.
    if (!isNameChar(char) && char !== '.' && !isExponentSign) break
    at++
  }
  return at
}

const readTemplate = (source: string, start: number): Token => {
  const names: string[] = []
  let at = start + 1
  while (at < source.length) {
    if (source[at] === '`') return { kind: 'template', text: source.slice(start, at + 1), at: start, names }
    if (source[at] === '\\') at += 2
    else if (source.startsWith('${', at)) {
      const hole = tokenize(source, { start: at + 2, untilBrace: true })
      names.push(
        ...hole.tokens.flatMap((token) => (token.kind === 'name' ? [token.text] : (token.names ?? []))),
      )
      at = hole.end + 1
    } else at++
  }
  throw fail('badRequest', `Unfinished template literal at ${start + 1}`)
}

const readToken = (source: string, at: number, before: Token | undefined): Token => {
  const char = source[at]!
  const token = (kind: TokenKind, end: number): Token => ({ kind, text: source.slice(at, end), at })
  if (char === '"' || char === "'") return token('string', endOfString(source, at))
  if (char === '`') return readTemplate(source, at)
  if (isDigit(char) || (char === '.' && isDigit(source[at + 1] ?? '')))
    return token('number', endOfNumber(source, at))
  if (isNameChar(char) || char === '#' || char === '@' || char === '\\') {
    let end = at + 1
    while (end < source.length && isNameChar(source[end]!)) end++
    return token('name', end)
  }
  if (char === '/' && !endsOperand(before)) return token('regexp', endOfRegexp(source, at))
  const long = PUNCTUATORS.find((text) => source.startsWith(text, at)) ?? char
  // `a ?.5 : 1` is a ternary with a fraction.
  return token('punctuator', at + (long === '?.' && isDigit(source[at + 2] ?? '') ? 1 : long.length))
}

/**
 * Splits an expression into tokens, comments dropped. With `untilBrace` it stops at the `}` that closes what
 * stands before `start` and `end` is that brace's offset; otherwise `end` is the length.
 */
export const tokenize = (
  source: string,
  { start = 0, untilBrace = false }: { start?: number; untilBrace?: boolean } = {},
): { tokens: Token[]; end: number } => {
  const tokens: Token[] = []
  let braces = 0
  let at = start
  while (at < source.length) {
    if (isSpace(source[at]!)) at++
    else if (source.startsWith('//', at) || source.startsWith('/*', at)) at = skipComment(source, at)
    else {
      const token = readToken(source, at, tokens.at(-1))
      if (token.kind === 'punctuator' && token.text === '{') braces++
      if (token.kind === 'punctuator' && token.text === '}' && braces-- === 0 && untilBrace)
        return { tokens, end: at }
      tokens.push(token)
      at += token.text.length
    }
  }
  if (untilBrace) throw fail('badRequest', `No closing brace } for the one before ${start + 1}`)
  return { tokens, end: at }
}
