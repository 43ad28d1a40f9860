import type { Condition, Operand, Predicate, Reference } from './ast.js'

/** The conditions of a predicate as they are written, however they are joined. */
export const conditionsOf = (predicate: Predicate): readonly Condition[] => {
  switch (predicate.kind) {
    case 'and':
    case 'or':
      return predicate.operands.flatMap(conditionsOf)
    case 'not':
      return conditionsOf(predicate.operand)
    case 'equivalence':
      return [predicate.left, predicate.right].flatMap(conditionsOf)
    default:
      return [predicate]
  }
}

/** What an operand refers to, also within functions. */
export const referencesIn = (operand: Operand): readonly Reference[] => {
  if (operand.kind === 'reference') return [operand]
  if (operand.kind === 'function') return operand.args.flatMap(referencesIn)
  return operand.kind === 'arithmetic' ? [operand.left, operand.right].flatMap(referencesIn) : []
}
