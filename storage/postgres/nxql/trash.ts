import type { Condition, Reference, Value } from '../../../core/model/nxql/index.js'
import type { Scope } from './hierarchy.js'
import { TRASHED } from './special.js'
import { refuse } from './unsupported.js'

const DELETED = 'deleted'

/** `ecm:isTrashed` is compared with 0 and 1, by `=` and `<>` alone. */
export const trashTest = (condition: Condition, reference: Reference, { negated }: Scope): string => {
  if (condition.kind !== 'comparison' || !['=', '<>'].includes(condition.operator))
    throw refuse(`${reference.name} takes only = and <>`, reference.offset)
  const { right, operator } = condition
  if (right.kind !== 'integer' || !['0', '1'].includes(right.text))
    throw refuse(`${reference.name} takes only 0 and 1`, right.offset)
  const isTrashed = (right.text === '1') === ((operator === '=') !== negated)
  return isTrashed ? TRASHED : `${TRASHED} IS NOT TRUE`
}

/**
 * A condition on the state that mentions `deleted` means the trash too: documents may be there and keep their
 * state (reference: nxql-search.md §4).
 *
 * @param values what the condition on the state compares with, `stateTest` its SQL.
 */
export const withTrash = (
  stateTest: () => string,
  { values, negated }: { values: readonly Value[] | undefined; negated: boolean },
): string => {
  const isDeleted = (value: Value) => value.kind === 'string' && value.value === DELETED
  if (!values?.some(isDeleted)) return stateTest()
  if (negated) return `(${stateTest()} AND NOT d.is_trashed)`
  return values.every(isDeleted) ? TRASHED : `(${stateTest()} OR d.is_trashed)`
}
