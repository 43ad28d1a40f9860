import { illegalCharacter, invalidToken } from './syntax-error.js'
import { keywordOf, SYMBOLS, type Token } from './token.js'

const SPACE = /[ \t\r\n\f]*/y
const ORDER_BY = /(?:ORDER BY|Order By|order by)(?![\w:.-])/y
/** A name and its path segments. `/*+` is not a segment: it opens a hint. */
const IDENTIFIER = /[A-Za-z][\w:.-]*(?:\/(?:\*(?!\+)\d*|\d+|[A-Za-z_][\w:.-]*(?:\[(?:\d+|\*\d*)\])?))*/y
const DOUBLE = /(?:0|[1-9]\d*)?\.\d+(?:[eE][+-]?\d+)?|(?:0|[1-9]\d*)(?:\.(?!\d)|[eE][+-]?\d+)/y
const INTEGER = /0|[1-9]\d*/y
const HINT = /\/\*\+([^*]*)\*\//y
const ESCAPES: Readonly<Record<string, string>> = {
  "'": "'",
  '"': '"',
  '\\': '\\',
  n: '\n',
  r: '\r',
  t: '\t',
}

const matchAt = (pattern: RegExp, text: string, offset: number): RegExpExecArray | null => {
  pattern.lastIndex = offset
  return pattern.exec(text)
}

const BACKSLASH = 0x5c
const LINE_FEED = 0x0a
const RETURN = 0x0d

/** Half a character when its other half does not stand beside it. */
const isSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdfff

/** What no string may hold as it is: the ends of lines, and what no store takes. */
const isIllegal = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at)
  if (code === LINE_FEED || code === RETURN || code === 0) return true
  return isSurrogate(code) && (text.codePointAt(at) ?? 0) <= 0xffff
}

/**
 * Reads the string whose opening quote stands at `offset`. A loop over its characters: hostile strings consist of those
 * that an expression would stop at.
 */
const readString = (text: string, offset: number): Token => {
  const quote = text.charCodeAt(offset)
  let value = ''
  let from = offset + 1
  let at = from
  for (;;) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      value += text.slice(from, at)
      return { kind: 'string', value, text: text.slice(offset, at + 1), offset }
    }
    if (Number.isNaN(code)) throw illegalCharacter(text[offset] ?? '', offset)
    if (code === BACKSLASH) {
      const resolved = ESCAPES[text[at + 1] ?? '']
      // An unknown escape keeps its backslash, so that '\_' reaches LIKE as it was written.
      value += text.slice(from, at) + (resolved ?? '\\')
      at += resolved === undefined ? 1 : 2
      from = at
      continue
    }
    if (code < 0x20 || isSurrogate(code)) {
      if (isIllegal(text, at)) throw illegalCharacter(text[at] ?? '', at)
      if (isSurrogate(code)) at += 1
    }
    at += 1
  }
}

const readWord = (text: string, offset: number): Token | undefined => {
  const phrase = matchAt(ORDER_BY, text, offset)
  if (phrase) return { kind: 'keyword', keyword: 'ORDER BY', text: phrase[0], offset }
  const word = matchAt(IDENTIFIER, text, offset)?.[0]
  if (word === undefined) return undefined
  const keyword = keywordOf(word)
  return keyword
    ? { kind: 'keyword', keyword, text: word, offset }
    : { kind: 'identifier', text: word, offset }
}

const readNumber = (text: string, offset: number): Token | undefined => {
  const double = matchAt(DOUBLE, text, offset)?.[0]
  if (double !== undefined) return { kind: 'double', text: double, offset }
  const integer = matchAt(INTEGER, text, offset)?.[0]
  return integer === undefined ? undefined : { kind: 'integer', text: integer, offset }
}

const readSymbol = (text: string, offset: number): Token | undefined => {
  if (text.startsWith('/*+', offset)) {
    const hint = matchAt(HINT, text, offset)
    if (!hint) throw invalidToken(text.slice(offset), offset)
    return { kind: 'hint', value: hint[1] ?? '', text: hint[0], offset }
  }
  if (text.startsWith('!=', offset)) return { kind: 'symbol', symbol: '<>', text: '!=', offset }
  const symbol = SYMBOLS.find((candidate) => text.startsWith(candidate, offset))
  return symbol && { kind: 'symbol', symbol, text: symbol, offset }
}

/** The first character determines the kind of a token: long lists of values are read without a vain attempt at each comma. */
const readerOf = (character: string) => {
  if ((character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z')) return readWord
  return (character >= '0' && character <= '9') || character === '.' ? readNumber : readSymbol
}

const readToken = (text: string, offset: number): Token => {
  const character = text[offset]
  if (character === undefined) return { kind: 'end', text: 'EOF', offset }
  if (character === "'" || character === '"') return readString(text, offset)
  const token = readerOf(character)(text, offset)
  if (!token) throw illegalCharacter(String.fromCodePoint(text.codePointAt(offset) ?? 0), offset)
  return token
}

/**
 * Reads one token after another, never more than the parser asks for, so that a hostile text costs no more
 * than its well-formed beginning. After the end it keeps answering the `end` token.
 */
export const createLexer = (text: string): (() => Token) => {
  let at = 0
  return () => {
    SPACE.lastIndex = at
    SPACE.test(text)
    at = SPACE.lastIndex
    const token = readToken(text, at)
    if (token.kind !== 'end') at += token.text.length
    return token
  }
}
