import { fail } from '../../../platform/errors/index.js'
import { createLexer } from './lexer.js'
import { invalidToken } from './syntax-error.js'
import type { Keyword, SymbolText, Token } from './token.js'

/** Characters of a query; enough for an IN list of ten thousand ids. */
export const MAX_LENGTH = 500_000
/** Levels of parentheses, NOT, functions and chained operators. Keeps this parser and the database off their stacks. */
export const MAX_DEPTH = 100
/** Types behind FROM. */
export const MAX_TYPES = 1_000
/** What is selected, and what is sorted by: a store reads each for every row. */
export const MAX_COLUMNS = 100
/** Conditions of a query: reading and compiling each takes time of the process in which all others wait. */
export const MAX_CONDITIONS = 1_000
/** Arithmetic operators of a query: each side may be a property, which is read for every row. */
export const MAX_OPERATORS = 1_000

/** The parser's place in the text: one token of look-ahead, and the budgets of a hostile query. */
export type Cursor = {
  text: string
  peek(): Token
  take(): Token
  /** End offset of the token taken last. */
  end(): number
  at(word: Keyword | SymbolText): boolean
  /** Takes the token when it is the word given. */
  accept(word: Keyword | SymbolText): boolean
  expect(word: Keyword | SymbolText): void
  identifier(): Token
  unexpected(): Error
  nest<T>(parse: () => T): T
  checkDepth(levels: number): void
  countCondition(): void
  countOperator(): void
}

const isWord = (token: Token, word: Keyword | SymbolText): boolean =>
  (token.kind === 'keyword' && token.keyword === word) || (token.kind === 'symbol' && token.symbol === word)

export const checkLength = ({ length }: string): void => {
  if (length <= MAX_LENGTH) return
  throw fail('badRequest', `NXQL: the query has ${length} characters, at most ${MAX_LENGTH} are allowed`)
}

export const createCursor = (text: string): Cursor => {
  checkLength(text)
  const lex = createLexer(text)
  let next = lex()
  let end = 0
  let depth = 0
  const counter = (most: number, what: string) => {
    let count = 0
    return () => {
      count += 1
      if (count > most) throw fail('badRequest', `NXQL: more than ${most} ${what} at offset ${next.offset}`)
    }
  }

  const cursor: Cursor = {
    text,
    peek: () => next,
    take: () => {
      const taken = next
      end = taken.offset + taken.text.length
      next = lex()
      return taken
    },
    end: () => end,
    at: (word) => isWord(next, word),
    accept: (word) => {
      if (!isWord(next, word)) return false
      cursor.take()
      return true
    },
    expect: (word) => {
      if (!cursor.accept(word)) throw cursor.unexpected()
    },
    identifier: () => {
      if (next.kind !== 'identifier') throw cursor.unexpected()
      return cursor.take()
    },
    unexpected: () => invalidToken(next.text, next.offset),
    checkDepth: (levels) => {
      if (depth + levels <= MAX_DEPTH) return
      throw fail('badRequest', `NXQL: nested deeper than ${MAX_DEPTH} levels at offset ${next.offset}`)
    },
    nest: (parse) => {
      cursor.checkDepth(1)
      depth += 1
      const parsed = parse()
      depth -= 1
      return parsed
    },
    countCondition: counter(MAX_CONDITIONS, 'conditions'),
    countOperator: counter(MAX_OPERATORS, 'arithmetic operators'),
  }
  return cursor
}
