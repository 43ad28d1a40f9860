import type { AuditCondition, AuditField } from '../../content/stores/index.js'
import { type Comparison, oriented, type Predicate, type Reference, refuse } from '../../model/nxql/index.js'
import { fieldOf, fieldValue } from './fields.js'

const negatedIf = (isNegated: boolean, operand: AuditCondition): AuditCondition =>
  isNegated ? { kind: 'not', operand } : operand

/** Patterns compare texts. */
const textOf = (reference: Reference): AuditField => {
  const field = fieldOf(reference)
  if ('column' in field && ['id', 'eventDate', 'logDate'].includes(field.column))
    throw refuse(`${reference.name} is no text`, reference.offset)
  return field
}

const compared = (comparison: Comparison, now: Date): AuditCondition => {
  const turned = oriented(comparison)
  if (!turned) throw refuse('a field of the audit is compared with a value', comparison.offset)
  const { left, operator, right } = turned
  const field = fieldOf(left)
  return { kind: 'compare', field, operator, value: fieldValue(field, right, now) }
}

/** `/a` and what begins with `/a/`. */
const startingWith = (field: AuditField, value: string): AuditCondition => ({
  kind: 'or',
  operands: [
    { kind: 'compare', field, operator: '=', value },
    {
      kind: 'like',
      field,
      pattern: `${value.replace(/\/$/, '').replace(/[\\%_]/g, '\\$&')}/%`,
      ignoresCase: false,
    },
  ],
})

/**
 * What the conditions of a query say of entries.
 *
 * @throws badRequest for fields that entries do not have, and for what cannot be asked of them.
 */
export const conditionOf = (predicate: Predicate, now: Date): AuditCondition => {
  switch (predicate.kind) {
    case 'and':
    case 'or':
      return { kind: predicate.kind, operands: predicate.operands.map((each) => conditionOf(each, now)) }
    case 'not':
      return { kind: 'not', operand: conditionOf(predicate.operand, now) }
    case 'comparison':
      return compared(predicate, now)
    case 'in': {
      const field = fieldOf(predicate.reference)
      const values = predicate.values.map((value) => fieldValue(field, value, now))
      return negatedIf(predicate.negated, { kind: 'in', field, values })
    }
    case 'between': {
      const field = fieldOf(predicate.reference)
      const [low, high] = [predicate.low, predicate.high].map((value) => fieldValue(field, value, now))
      return negatedIf(predicate.negated, {
        kind: 'and',
        operands: [
          { kind: 'compare', field, operator: '>=', value: low! },
          { kind: 'compare', field, operator: '<=', value: high! },
        ],
      })
    }
    case 'like': {
      const field = textOf(predicate.reference)
      const pattern = String(fieldValue(field, predicate.pattern, now))
      return negatedIf(predicate.negated, { kind: 'like', field, pattern, ignoresCase: predicate.ignoreCase })
    }
    case 'startsWith': {
      const field = textOf(predicate.reference)
      return startingWith(field, String(fieldValue(field, predicate.value, now)))
    }
    case 'isNull':
      return negatedIf(predicate.negated, { kind: 'null', field: fieldOf(predicate.reference) })
    default:
      throw refuse('conditions are not compared with each other in the audit', predicate.offset)
  }
}
