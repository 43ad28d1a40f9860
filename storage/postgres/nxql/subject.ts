import type {
  Comparison,
  ComparisonOperator,
  Condition,
  Operand,
  Reference,
  Value,
} from '../../../core/model/nxql/index.js'
import type { Scope } from './hierarchy.js'

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

type Oriented = Comparison & { left: Reference; right: Value }

/** The property on the left and the value on the right, however they were written. */
export const oriented = (comparison: Comparison): Oriented | undefined => {
  const { left, right, operator } = comparison
  if (left.kind === 'reference' && isValue(right)) return { ...comparison, left, right }
  if (right.kind === 'reference' && isValue(left))
    return { ...comparison, operator: MIRRORED[operator], left: right, right: left }
  return undefined
}

/** A condition with its property on the left, and how it is asked. */
export type Subject = {
  condition: Exclude<Condition, Comparison> | (Comparison & { right: Value })
  reference: Reference
  scope: Scope
}

/** Whether the opposite of `=`, IN, BETWEEN or LIKE is asked for. */
export const isNegated = ({ condition, scope }: Subject): boolean => {
  const isDifferent =
    (condition.kind === 'comparison' && condition.operator === '<>') ||
    ('negated' in condition && condition.negated)
  return isDifferent !== scope.negated
}

export type ValueSubject = Subject & { condition: Exclude<Subject['condition'], { kind: 'isNull' }> }

/** The values of `=` and IN. */
export const equalValues = (condition: ValueSubject['condition']): readonly Value[] | undefined => {
  if (condition.kind === 'in') return condition.values
  if (condition.kind !== 'comparison') return undefined
  return condition.operator === '=' || condition.operator === '<>' ? [condition.right] : undefined
}
