import type { Comparison, ComparisonOperator, Operand, Reference, Value } from '../ast.js'

const MIRRORED: Readonly<Record<ComparisonOperator, ComparisonOperator>> = {
  '=': '=',
  '<>': '<>',
  '<': '>',
  '>': '<',
  '<=': '>=',
  '>=': '<=',
}

const isValue = (operand: Operand): operand is Value =>
  operand.kind !== 'reference' && operand.kind !== 'arithmetic'

export type Oriented = Comparison & { left: Reference; right: Value }

/** A comparison with its property on the left and the value on the right, however they were written. */
export const oriented = (comparison: Comparison): Oriented | undefined => {
  const { left, right, operator } = comparison
  if (left.kind === 'reference' && isValue(right)) return { ...comparison, left, right }
  if (right.kind === 'reference' && isValue(left))
    return { ...comparison, operator: MIRRORED[operator], left: right, right: left }
  return undefined
}
