import type { ComparisonOperator, Expression, Predicate, Reference } from '../ast.js'
import type { Cursor } from './cursor.js'
import { isOperand, parseString, parseSum, parseValue } from './operands.js'

const COMPARISONS: readonly ComparisonOperator[] = ['=', '<>', '<', '>', '<=', '>=']

/** An operand where a predicate belongs lacks its operator, so the token after it is the wrong one. */
const predicate = (cursor: Cursor, expression: Expression): Predicate => {
  if (isOperand(expression)) throw cursor.unexpected()
  return expression
}

const parseChain = (
  cursor: Cursor,
  kind: 'and' | 'or',
  below: (cursor: Cursor) => Expression,
): Expression => {
  const keyword = kind === 'and' ? 'AND' : 'OR'
  const first = below(cursor)
  if (!cursor.at(keyword)) return first
  const operands = [predicate(cursor, first)]
  while (cursor.accept(keyword)) operands.push(predicate(cursor, below(cursor)))
  return { kind, operands, offset: first.offset }
}

const parseExpression = (cursor: Cursor): Expression => parseChain(cursor, 'or', parseConjunction)

const parseConjunction = (cursor: Cursor): Expression => parseChain(cursor, 'and', parseNegation)

const parseNegation = (cursor: Cursor): Expression => {
  const { offset } = cursor.peek()
  if (!cursor.accept('NOT')) return parseCondition(cursor)
  const operand = cursor.nest(() => predicate(cursor, parseNegation(cursor)))
  return { kind: 'not', operand, offset }
}

/** One condition; two compared with each other stand in parentheses. Conditions do not chain. */
const parseCondition = (cursor: Cursor): Expression => {
  const left = parseSum(cursor, parseExpression)
  const operator = COMPARISONS.find((symbol) => cursor.at(symbol))
  if (operator) return parseComparison(cursor, left, operator)
  return (isOperand(left) && parseKeywordCondition(cursor, left)) || left
}

const parseComparison = (cursor: Cursor, left: Expression, operator: ComparisonOperator): Expression => {
  const isEquality = operator === '=' || operator === '<>'
  if (!isOperand(left) && !isEquality) throw cursor.unexpected()
  cursor.take()
  cursor.countCondition()
  const right = parseSum(cursor, parseExpression)
  const { offset } = left
  if (isOperand(left)) {
    if (!isOperand(right)) throw cursor.unexpected()
    return { kind: 'comparison', operator, left, right, offset }
  }
  return { kind: 'equivalence', left, right: predicate(cursor, right), negated: operator === '<>', offset }
}

/** The conditions that begin with a word; undefined when none of these words comes next. */
const parseKeywordCondition = (cursor: Cursor, left: Expression): Predicate | undefined => {
  const words = ['NOT', 'IN', 'BETWEEN', 'LIKE', 'ILIKE', 'IS', 'STARTSWITH'] as const
  if (!words.some((word) => cursor.at(word))) return undefined
  if (left.kind !== 'reference') throw cursor.unexpected()
  cursor.countCondition()
  const { offset } = left
  if (cursor.accept('STARTSWITH')) {
    return { kind: 'startsWith', reference: left, value: parseString(cursor), offset }
  }
  if (cursor.accept('IS')) {
    const negated = cursor.accept('NOT')
    cursor.expect('NULL')
    return { kind: 'isNull', reference: left, negated, offset }
  }
  return parseNegatable(cursor, left, cursor.accept('NOT'))
}

const parseNegatable = (cursor: Cursor, reference: Reference, negated: boolean): Predicate => {
  const { offset } = reference
  if (cursor.accept('IN')) {
    cursor.expect('(')
    const values = [parseValue(cursor, parseExpression)]
    while (cursor.accept(',')) values.push(parseValue(cursor, parseExpression))
    cursor.expect(')')
    return { kind: 'in', reference, values, negated, offset }
  }
  if (cursor.accept('BETWEEN')) {
    const low = parseValue(cursor, parseExpression)
    cursor.expect('AND')
    return { kind: 'between', reference, low, high: parseValue(cursor, parseExpression), negated, offset }
  }
  const ignoreCase = cursor.accept('ILIKE')
  if (!ignoreCase) cursor.expect('LIKE')
  return { kind: 'like', reference, pattern: parseString(cursor), ignoreCase, negated, offset }
}

/** `OR` binds weakest, then `AND`, then `NOT`, then the conditions. */
export const parsePredicate = (cursor: Cursor): Predicate => predicate(cursor, parseExpression(cursor))

/** An operand of the SELECT list. */
export const parseSelected = (cursor: Cursor): Expression => parseSum(cursor, parseExpression)
