import type { Condition, Predicate, Query } from '../ast.js'
import { type FulltextTerm, parseFulltext } from './parse.js'

const textOf = (condition: Condition): string | undefined => {
  if (condition.kind === 'like' && !condition.negated && condition.reference.name.startsWith('ecm:fulltext'))
    return condition.pattern.value
  if (condition.kind !== 'comparison' || condition.operator !== '=') return undefined
  const { left, right } = condition
  const isSearch =
    left.kind === 'reference' && left.name.startsWith('ecm:fulltext') && right.kind === 'string'
  return isSearch ? right.value : undefined
}

const textsIn = (predicate: Predicate): string[] => {
  switch (predicate.kind) {
    case 'and':
    case 'or':
      return predicate.operands.flatMap(textsIn)
    case 'not':
    case 'equivalence':
      return []
    default: {
      const text = textOf(predicate)
      return text === undefined ? [] : [text]
    }
  }
}

/** The words and phrases that a query looks for, without those that it excludes. */
export const searchedTerms = ({ where }: Query): FulltextTerm[] =>
  (where === null ? [] : textsIn(where))
    .flatMap((text) => parseFulltext(text).flat())
    .filter(({ isExcluded }) => !isExcluded)
