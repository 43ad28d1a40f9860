import { type Condition, oriented, refuse, type Value } from '../../../../core/model/nxql/index.js'

export type Hint = NonNullable<Extract<Condition, { kind: 'like' }>['reference']['hint']>

/** The hint before the property of a condition. */
export const hintOf = (condition: Condition): Hint | undefined =>
  (condition.kind === 'comparison' ? oriented(condition)?.left : condition.reference)?.hint ?? undefined

const textOf = (value: Value): string => {
  if (value.kind === 'function') throw refuse('a hint takes values as they are', value.offset)
  return 'text' in value ? value.text : value.value
}

/** The values of a condition as a hint takes them, whatever its operator. @throws badRequest where it has none. */
export const hintedValues = (condition: Condition): string[] => {
  switch (condition.kind) {
    case 'comparison': {
      const value = condition.left.kind === 'reference' ? condition.right : condition.left
      return [textOf(value as Value)]
    }
    case 'in':
      return condition.values.map(textOf)
    case 'between':
      return [textOf(condition.low), textOf(condition.high)]
    case 'like':
      return [condition.pattern.value]
    case 'startsWith':
      return [condition.value.value]
    case 'isNull':
      throw refuse('a hint with OPERATOR needs a value', condition.offset)
  }
}
