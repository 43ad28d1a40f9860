import type { ContentModel } from '../../content-model/index.js'
import type { Comparison, ComparisonOperator, Operand } from '../ast.js'
import type { Kind } from './kinds.js'
import { locateValue } from './locate.js'
import { literalBeside } from './quoted.js'
import { refuse } from './refuse.js'
import type { Term, Test } from './tests.js'
import { evaluateFunction } from './values.js'

/** What is true of two values when a comparison of them is not. */
export const INVERSE: Readonly<Record<ComparisonOperator, ComparisonOperator>> = {
  '=': '<>',
  '<>': '=',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
}

type Scope = { model: ContentModel; now: Date }

const constant = (type: Kind, text: string): Term => ({ kind: 'constant', type, text })

const termOf = (operand: Operand, scope: Scope): Term => {
  switch (operand.kind) {
    case 'reference': {
      const place = locateValue(operand, scope.model)
      if (!place || place.isList || place.type === 'opaque')
        throw refuse(`${operand.name} has no single value to compare`, operand.offset)
      return { kind: 'value', type: place.type, place }
    }
    case 'integer':
    case 'double':
      return constant('number', operand.text)
    // Two properties are compared, or what is computed of numbers: a text beside that writes a number.
    case 'string': {
      const literal = literalBeside('number', operand)
      return literal.kind === 'string' ? constant('text', literal.value) : termOf(literal, scope)
    }
    case 'date':
      return constant('date', `${operand.value}T00:00:00.000Z`)
    case 'timestamp':
      return constant('date', operand.value)
    case 'function':
      return termOf(evaluateFunction(operand, scope.now), scope)
    case 'arithmetic': {
      const { operator } = operand
      const [left, right] = [termOf(operand.left, scope), termOf(operand.right, scope)]
      for (const [{ type }, { offset }] of [
        [left, operand.left],
        [right, operand.right],
      ] as const)
        if (type !== 'number') throw refuse(`${operator} takes numbers`, offset)
      return { kind: 'arithmetic', type: 'number', operator, left, right }
    }
  }
}

const isConstant = (term: Term): boolean =>
  term.kind === 'arithmetic' ? isConstant(term.left) && isConstant(term.right) : term.kind === 'constant'

/** Ids are compared by their text, as anything may stand on the other side. */
const comparable = (type: Kind): Kind => (type === 'id' ? 'text' : type)

/**
 * Compares two properties, or what is computed of them. A null, or a division by zero, compares with nothing.
 *
 * @throws badRequest for lists and complex values, kinds that do not compare, and comparisons of constants.
 */
export const termsTest = (comparison: Comparison, negated: boolean, scope: Scope): Test => {
  const left = termOf(comparison.left, scope)
  const right = termOf(comparison.right, scope)
  const { operator, offset } = comparison
  if (isConstant(left) && isConstant(right)) throw refuse('a comparison needs a property', offset)
  if (comparable(left.type) !== comparable(right.type))
    throw refuse('the two sides are of different kinds', offset)
  const isEquality = operator === '=' || operator === '<>'
  if (left.type === 'boolean' && !isEquality) throw refuse('booleans take only = and <>', offset)
  return { kind: 'compares', left, operator: negated ? INVERSE[operator] : operator, right }
}
