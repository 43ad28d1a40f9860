import type { Arithmetic, Expression, Operand, Reference, StringLiteral, Value } from '../ast.js'
import type { Cursor } from './cursor.js'
import { parseHint } from './hint.js'
import { dateLiteral, numberLiteral, timestampLiteral } from './literals.js'
import { invalidToken } from './syntax-error.js'
import type { Token } from './token.js'

export type ParseExpression = (cursor: Cursor) => Expression

const OPERANDS: ReadonlySet<Expression['kind']> = new Set([
  'reference',
  'string',
  'integer',
  'double',
  'date',
  'timestamp',
  'function',
  'arithmetic',
])

export const isOperand = (expression: Expression): expression is Operand => OPERANDS.has(expression.kind)

export const takeString = (cursor: Cursor): Token & { kind: 'string' } => {
  const token = cursor.peek()
  if (token.kind !== 'string') throw cursor.unexpected()
  cursor.take()
  return token
}

export const parseString = (cursor: Cursor): StringLiteral => {
  const { value, offset } = takeString(cursor)
  return { kind: 'string', value, offset }
}

const parseCast = (cursor: Cursor, offset: number): Reference => {
  cursor.expect('(')
  const { text } = cursor.identifier()
  cursor.expect(')')
  return { kind: 'reference', name: text, cast: 'DATE', hint: null, offset }
}

/** `[hint] name | DATE(name)`. */
export const parseReference = (cursor: Cursor): Reference => {
  const first = cursor.peek()
  if (first.kind === 'hint') {
    cursor.take()
    return {
      ...parsePlainReference(cursor),
      hint: parseHint(first.value, first.offset),
      offset: first.offset,
    }
  }
  return parsePlainReference(cursor)
}

const parsePlainReference = (cursor: Cursor): Reference => {
  const { offset } = cursor.peek()
  if (cursor.accept('DATE')) return parseCast(cursor, offset)
  const { text } = cursor.identifier()
  return { kind: 'reference', name: text, cast: null, hint: null, offset }
}

/** A literal, a function call, or undefined when none begins here. */
const parseAtom = (cursor: Cursor, parseExpression: ParseExpression): Operand | undefined => {
  const token = cursor.peek()
  const { offset } = token
  if (token.kind === 'string') return parseString(cursor)
  if (token.kind === 'integer' || token.kind === 'double') return numberLiteral(cursor.take(), false, offset)
  if (token.kind === 'hint') return parseReference(cursor)
  if (cursor.accept('-')) {
    const number = cursor.peek()
    if (number.kind !== 'integer' && number.kind !== 'double') throw cursor.unexpected()
    return numberLiteral(cursor.take(), true, offset)
  }
  if (cursor.accept('TIMESTAMP')) return timestampLiteral(takeString(cursor), offset)
  if (cursor.accept('DATE')) {
    return cursor.at('(') ? parseCast(cursor, offset) : dateLiteral(takeString(cursor), offset)
  }
  if (token.kind !== 'identifier') return undefined
  cursor.take()
  if (cursor.at('(')) return parseCall(cursor, token, parseExpression)
  return { kind: 'reference', name: token.text, cast: null, hint: null, offset }
}

const parseCall = (cursor: Cursor, name: Token, parseExpression: ParseExpression): Operand => {
  const args = cursor.nest(() => {
    cursor.expect('(')
    const list: Operand[] = []
    while (!cursor.at(')')) {
      if (list.length > 0) cursor.expect(',')
      list.push(parseOperand(cursor, parseExpression))
    }
    cursor.expect(')')
    return list
  })
  return { kind: 'function', name: name.text, args, offset: name.offset }
}

const parsePrimary = (cursor: Cursor, parseExpression: ParseExpression): Expression => {
  const atom = parseAtom(cursor, parseExpression)
  if (atom) return atom
  if (!cursor.accept('(')) throw cursor.unexpected()
  const inner = cursor.nest(() => parseExpression(cursor))
  cursor.expect(')')
  return inner
}

type Level = {
  operators: readonly Arithmetic['operator'][]
  below: (c: Cursor, p: ParseExpression) => Expression
}

const parseLevel = (cursor: Cursor, parseExpression: ParseExpression, level: Level): Expression => {
  let left = level.below(cursor, parseExpression)
  for (let links = 0; ; links += 1) {
    const operator = level.operators.find((symbol) => cursor.at(symbol))
    if (!operator) return left
    // A predicate in parentheses has no sum.
    if (!isOperand(left)) throw cursor.unexpected()
    cursor.checkDepth(links)
    cursor.countOperator()
    cursor.take()
    const right = level.below(cursor, parseExpression)
    if (!isOperand(right)) throw cursor.unexpected()
    left = { kind: 'arithmetic', operator, left, right, offset: left.offset }
  }
}

const parseProduct = (cursor: Cursor, parseExpression: ParseExpression): Expression =>
  parseLevel(cursor, parseExpression, { operators: ['*', '/'], below: parsePrimary })

/** An operand with its arithmetic, or a predicate in parentheses: which of them is known only at its end. */
export const parseSum = (cursor: Cursor, parseExpression: ParseExpression): Expression =>
  parseLevel(cursor, parseExpression, { operators: ['+', '-'], below: parseProduct })

export const parseOperand = (cursor: Cursor, parseExpression: ParseExpression): Operand => {
  const expression = parseSum(cursor, parseExpression)
  if (!isOperand(expression)) throw cursor.unexpected()
  return expression
}

/** What IN and BETWEEN take: a literal, or a function for the compiler to judge. */
export const parseValue = (cursor: Cursor, parseExpression: ParseExpression): Value => {
  const { text, offset } = cursor.peek()
  const atom = parseAtom(cursor, parseExpression)
  if (!atom) throw cursor.unexpected()
  if (atom.kind === 'reference' || atom.kind === 'arithmetic') throw invalidToken(text, offset)
  return atom
}
