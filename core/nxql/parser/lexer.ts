import { illegalCharacter, invalidToken } from './syntax-error.js'
import { keywordOf, SYMBOLS, type Token } from './token.js'

const SPACE = /[ \t\r\n\f]*/y
const ORDER_BY = /(?:ORDER BY|Order By|order by)(?![\w:.-])/y
/** A name and its path segments. `/*+` is not a segment: it opens a hint. */
const IDENTIFIER = /[A-Za-z][\w:.-]*(?:\/(?:\*(?!\+)\d*|\d+|[A-Za-z_][\w:.-]*(?:\[(?:\d+|\*\d*)\])?))*/y
const DOUBLE = /(?:0|[1-9]\d*)?\.\d+(?:[eE][+-]?\d+)?|(?:0|[1-9]\d*)(?:\.(?!\d)|[eE][+-]?\d+)/y
const INTEGER = /0|[1-9]\d*/y
const HINT = /\/\*\+([^*]*)\*\//y
/** Characters of a string up to the first that needs thought. Postgres stores neither NUL nor half a surrogate pair. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const PLAIN = /[^'"\\\n\r\u0000\p{Cs}]*/uy

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

/** The same up to the first that may need thought: most strings are read without the thorough pattern. */
const ASCII = /[ !#-&(-[\]-~]*/y

/** Reads the string whose opening quote stands at `offset`. */
const readString = (text: string, offset: number): Token => {
  const quote = text[offset]
  ASCII.lastIndex = offset + 1
  ASCII.test(text)
  let at = ASCII.lastIndex
  let value = text.slice(offset + 1, at)
  for (;;) {
    const plain = matchAt(PLAIN, text, at)?.[0] ?? ''
    value += plain
    at += plain.length
    const character = text[at]
    if (character === quote) {
      return { kind: 'string', value, text: text.slice(offset, at + 1), offset }
    }
    if (character === undefined) throw illegalCharacter(quote ?? '', offset)
    if (character !== '\\') {
      if (character !== "'" && character !== '"') throw illegalCharacter(character, at)
      value += character
      at += 1
      continue
    }
    const escaped = text[at + 1]
    const resolved = escaped === undefined ? undefined : ESCAPES[escaped]
    // An unknown escape keeps its backslash, so that '\_' reaches LIKE as it was written.
    value += resolved ?? '\\'
    at += resolved === undefined ? 1 : 2
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

/** The first character tells the kind of a token: long lists of values are read without a vain attempt at each comma. */
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
