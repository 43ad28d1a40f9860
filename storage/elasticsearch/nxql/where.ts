import type { Predicate } from '../../../core/model/nxql/index.js'
import { allOf, anyOf, type Clause, not } from './clauses.js'
import { conditionClause } from './condition.js'
import type { Context } from './context.js'
import { notAnswerable } from './not-answerable.js'

/** Each doubles the length of the search. */
const MAX_EQUIVALENCES = 3

/**
 * Compiles a predicate. A negation is pushed down to the conditions: `NOT x/* = 'a'` asks for an element that is not
 * 'a'.
 */
export const whereClause = (predicate: Predicate, negated: boolean, context: Context): Clause => {
  switch (predicate.kind) {
    case 'and':
    case 'or': {
      const clauses = predicate.operands.map((operand) => whereClause(operand, negated, context))
      return (predicate.kind === 'and') !== negated ? allOf(clauses) : anyOf(clauses)
    }
    case 'not':
      return whereClause(predicate.operand, !negated, context)
    case 'equivalence': {
      if (context.equivalences >= MAX_EQUIVALENCES)
        throw notAnswerable('comparisons of predicates stand inside one another')
      const within: Context = { ...context, equivalences: context.equivalences + 1 }
      const [left, right] = [predicate.left, predicate.right].map((side) =>
        whereClause(side, false, within),
      ) as [Clause, Clause]
      const isSame = anyOf([allOf([left, right]), allOf([not(left), not(right)])])
      return predicate.negated !== negated ? not(isSame) : isSame
    }
    default:
      return conditionClause(predicate, negated, context)
  }
}
