import type { Condition, In, Predicate, Reference, Value } from '../../../../core/model/nxql/index.js'

const isValue = ({ kind }: { kind: string }): boolean => kind !== 'reference' && kind !== 'arithmetic'

/** What a condition allows one property to be; undefined where it asks for anything else. */
const allowed = (condition: Predicate): { reference: Reference; values: readonly Value[] } | undefined => {
  if (condition.kind === 'in' && !condition.negated) return condition
  if (condition.kind !== 'comparison' || condition.operator !== '=') return undefined
  const { left, right } = condition
  return left.kind === 'reference' && isValue(right)
    ? { reference: left, values: [right as Value] }
    : undefined
}

/** Wildcards are joins of the whole query, and what the index is asked stands for itself. */
const isJoinable = ({ name, hint }: Reference): boolean =>
  hint === null && !name.startsWith('ecm:') && !name.includes('*')

/**
 * The operands of an OR with all alternatives for the same property as one IN: each condition unpacks a document's
 * properties once, and a long OR over large documents would do so for every value.
 */
export const joinAlternatives = (operands: readonly Predicate[]): readonly Predicate[] => {
  const joined = new Map<string, In>()
  const others: Predicate[] = []
  for (const operand of operands) {
    const found = allowed(operand)
    if (!found || !isJoinable(found.reference)) {
      others.push(operand)
      continue
    }
    const { reference, values } = found
    const key = `${reference.cast ?? ''} ${reference.name}`
    const before = joined.get(key)
    joined.set(key, {
      kind: 'in',
      reference: before?.reference ?? reference,
      values: [...(before?.values ?? []), ...values],
      negated: false,
      offset: before?.offset ?? (operand as Condition).offset,
    })
  }
  return [...joined.values(), ...others]
}
