import type { Comparison, Operand } from '../../../core/model/nxql/index.js'
import type { Context } from './context.js'
import { valuePlaceOf } from './place.js'
import type { Scalar, ScalarKind } from './scalar.js'
import { someElement, type Table } from './tables.js'
import { comparable, INVERSE } from './tests.js'
import { refuse } from './unsupported.js'
import { evaluate } from './values.js'

/** An operand as SQL, with the elements that it looks through. */
type Expression = { scalar: Scalar; tables: readonly Table[]; isConstant: boolean }

const constant = (kind: ScalarKind, sql: string): Expression => ({
  scalar: { kind, sql },
  tables: [],
  isConstant: true,
})

const compileOperand = (operand: Operand, context: Context): Expression => {
  const { binder } = context
  switch (operand.kind) {
    case 'reference': {
      const place = valuePlaceOf(operand, context)
      if (!place || place.list !== null || place.scalar.kind === 'opaque')
        throw refuse(`${operand.name} has no single value to compare`, operand.offset)
      return { scalar: place.scalar, tables: place.wildcards, isConstant: false }
    }
    case 'integer':
    case 'double':
      return constant('number', binder.bind(operand.text, 'numeric'))
    case 'string':
      return constant('text', binder.bind(operand.value, 'text'))
    case 'date':
      return constant('isoDate', binder.bind(`${operand.value}T00:00:00.000Z`, 'text'))
    case 'timestamp':
      return constant('isoDate', binder.bind(operand.value, 'text'))
    case 'function':
      return compileOperand(evaluate(operand, context.now), context)
    case 'arithmetic': {
      const left = compileOperand(operand.left, context)
      const right = compileOperand(operand.right, context)
      for (const [side, { offset }] of [
        [left, operand.left],
        [right, operand.right],
      ] as const)
        if (side.scalar.kind !== 'number') throw refuse(`${operand.operator} takes numbers`, offset)
      // No number comes of a division by zero, and no failure either.
      const divisor = operand.operator === '/' ? `NULLIF(${right.scalar.sql}, 0)` : right.scalar.sql
      return {
        scalar: { kind: 'number', sql: `(${left.scalar.sql} ${operand.operator} ${divisor})` },
        tables: [...left.tables, ...right.tables],
        isConstant: left.isConstant && right.isConstant,
      }
    }
  }
}

/** Dates of both kinds meet as text: a stored one that is none must not fail the query. */
const asComparable = (scalar: Scalar): Scalar => {
  if (scalar.kind !== 'instant') return comparable(scalar)
  return {
    kind: 'isoDate',
    sql: `to_char(${scalar.sql} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') COLLATE "C"`,
  }
}

/**
 * Compares two properties, or what is computed of them. A null, or a division by zero, compares with nothing.
 *
 * @throws badRequest for lists and complex values, kinds that do not compare, and comparisons of constants.
 */
export const compareExpressions = (comparison: Comparison, negated: boolean, context: Context): string => {
  const left = compileOperand(comparison.left, context)
  const right = compileOperand(comparison.right, context)
  if (left.isConstant && right.isConstant) throw refuse('a comparison needs a property', comparison.offset)
  const [a, b] = [asComparable(left.scalar), asComparable(right.scalar)]
  if (a.kind !== b.kind) throw refuse('the two sides are of different kinds', comparison.offset)
  const isEquality = comparison.operator === '=' || comparison.operator === '<>'
  if (a.kind === 'boolean' && !isEquality) throw refuse('booleans take only = and <>', comparison.offset)
  const operator = negated ? INVERSE[comparison.operator] : comparison.operator
  return someElement([...left.tables, ...right.tables], `${a.sql} ${operator} ${b.sql}`)
}
