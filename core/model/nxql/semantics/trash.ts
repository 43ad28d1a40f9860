import type { Condition, Operand, Reference, Value } from '../ast.js'
import { literalBeside } from './quoted.js'
import { refuse } from './refuse.js'
import type { Test } from './tests.js'

const DELETED = 'deleted'

/** 0 or 1, also written as a text. */
const flagOf = (value: Operand): string | undefined => {
  const flag = value.kind === 'string' ? literalBeside('boolean', value) : value
  return flag.kind === 'integer' && ['0', '1'].includes(flag.text) ? flag.text : undefined
}

/** `ecm:isTrashed` is compared with 0 and 1, by `=` and `<>` alone. */
export const trashTest = (condition: Condition, reference: Reference, negated: boolean): Test => {
  if (condition.kind !== 'comparison' || !['=', '<>'].includes(condition.operator))
    throw refuse(`${reference.name} takes only = and <>`, reference.offset)
  const { right, operator } = condition
  const flag = flagOf(right)
  if (flag === undefined) throw refuse(`${reference.name} takes only 0 and 1`, right.offset)
  const isTrashed = (flag === '1') === ((operator === '=') !== negated)
  return { kind: 'isTrashed', negated: !isTrashed }
}

/**
 * A condition on the state that mentions `deleted` means the trash too: documents may be there and keep their
 * state (reference: nxql-search.md §4).
 *
 * @param values what the condition on the state compares with.
 * @param negated whether it asks for other states.
 */
export const withTrash = (
  stateTest: Test,
  { values, negated }: { values: readonly Value[] | undefined; negated: boolean },
): Test => {
  const isDeleted = (value: Value) => value.kind === 'string' && value.value === DELETED
  if (!values?.some(isDeleted)) return stateTest
  if (negated) return { kind: 'all', tests: [stateTest, { kind: 'wasMovedToTrash', negated: true }] }
  if (values.every(isDeleted)) return { kind: 'isTrashed', negated: false }
  return { kind: 'any', tests: [stateTest, { kind: 'wasMovedToTrash', negated: false }] }
}
