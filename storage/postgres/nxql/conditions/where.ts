import { type Condition, type Predicate, testOf } from '../../../../core/model/nxql/index.js'
import type { Context } from '../context.js'
import { interruptible } from '../interruptible.js'
import { joinAlternatives } from './alternatives.js'
import { compileCondition } from './condition.js'
import { prefilterText } from './containment.js'

const OPPOSITE = { and: 'or', or: 'and' } as const

/**
 * Compiles a predicate. A negation is pushed down to the conditions, since a wildcard is a join of the
 * whole query in the reference: `NOT x/* = 'a'` asks for an element that is not 'a'.
 */
const compilePredicate = (predicate: Predicate, negated: boolean, context: Context): string => {
  switch (predicate.kind) {
    case 'and':
    case 'or': {
      const kind = negated ? OPPOSITE[predicate.kind] : predicate.kind
      const operands = kind === 'or' && !negated ? joinAlternatives(predicate.operands) : predicate.operands
      const parts = operands.map((operand) => compilePredicate(operand, negated, context))
      return `(${parts.join(kind === 'and' ? ' AND ' : ' OR ')})`
    }
    case 'not':
      return compilePredicate(predicate.operand, !negated, context)
    case 'equivalence': {
      const left = compilePredicate(predicate.left, false, context)
      const right = compilePredicate(predicate.right, false, context)
      return `((${left}) IS TRUE) ${predicate.negated !== negated ? '<>' : '='} ((${right}) IS TRUE)`
    }
    default:
      return interruptible(compileCondition(predicate, negated, context), context)
  }
}

const isCondition = (predicate: Predicate): predicate is Condition =>
  !['and', 'or', 'not', 'equivalence'].includes(predicate.kind)

/**
 * The conditions of a WHERE clause, to be joined by AND. Those that share a numbered wildcard stand in one
 * subquery; the others stay outside, where indexes serve them.
 */
export const compileWhere = (where: Predicate, context: Context): string[] => {
  const conjuncts = where.kind === 'and' ? where.operands : [where]
  const plain: string[] = []
  const correlated: string[] = []
  for (const conjunct of conjuncts) {
    const before = context.correlations.uses()
    const sql = compilePredicate(conjunct, false, context)
    const isCorrelated = context.correlations.uses() > before
    const group = isCorrelated ? correlated : plain
    group.push(sql)
    const prefilter =
      isCorrelated && isCondition(conjunct)
        ? prefilterText(testOf(conjunct, false, context), context)
        : undefined
    if (prefilter !== undefined) plain.push(prefilter)
  }
  return correlated.length === 0 ? plain : [...plain, context.correlations.wrap(correlated)]
}
