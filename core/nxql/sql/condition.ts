import type { Comparison, ComparisonOperator, Condition, Operand, Reference, Value } from '../ast.js'
import type { Context } from './context.js'
import { ancestorTest, mixinTest, pathTest, type Scope } from './hierarchy.js'
import { likePattern } from './like.js'
import { type Place, placeOf, type ValuePlace } from './place.js'
import { EQUALITY_ONLY } from './special.js'
import { isAtOrUnder, isBetween, isLike, isOneOf, isOrdered } from './tests.js'
import { notSupportedYet, refuse } from './unsupported.js'
import { jsonFor, valueFor } from './values.js'

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

/** The property on the left and the value on the right, however they were written. */
const oriented = (comparison: Comparison): Comparison & { left: Reference; right: Value } => {
  const { left, right, operator } = comparison
  for (const operand of [left, right]) {
    if (operand.kind === 'arithmetic') throw notSupportedYet(`operator ${operand.operator}`, operand.offset)
  }
  if (left.kind === 'reference' && isValue(right)) return { ...comparison, left, right }
  if (right.kind === 'reference' && isValue(left)) {
    return { ...comparison, operator: MIRRORED[operator], left: right, right: left }
  }
  if (left.kind === 'reference')
    throw notSupportedYet(`operator ${operator} between two properties`, right.offset)
  throw refuse('a comparison needs a property', left.offset)
}

/** Compiles a predicate about one property to SQL; `negated` asks for its opposite. */
export const compileCondition = (written: Condition, negated: boolean, context: Context): string => {
  const condition = written.kind === 'comparison' ? oriented(written) : written
  const reference = condition.kind === 'comparison' ? condition.left : condition.reference
  const place = placeOf(reference, context)
  const scope: Scope = { context, negated }
  return compileAt(place, { condition, reference, scope })
}

type Subject = {
  condition: Exclude<Condition, Comparison> | (Comparison & { right: Value })
  reference: Reference
  scope: Scope
}

const compileAt = (place: Place, { condition, reference, scope }: Subject): string => {
  switch (place.kind) {
    case 'path':
      return pathTest(condition, reference, scope)
    case 'ancestor':
      return ancestorTest(condition, reference, scope)
    case 'mixin':
      return mixinTest(condition, reference, scope)
    case 'value':
      if (condition.kind !== 'isNull') return valueTest(place, { condition, reference, scope })
      if (EQUALITY_ONLY.has(reference.name)) throw onlyEquality(reference)
      return nullTest(place, condition.negated === scope.negated)
  }
}

const onlyEquality = ({ name, offset }: Reference) => refuse(`${name} takes only = and <>`, offset)

/** Looks through the elements of the wildcards, outermost first. */
const someElement = (wildcards: readonly string[], test: string): string =>
  wildcards.reduceRight((inner, elements) => `EXISTS (SELECT 1 FROM ${elements} WHERE ${inner})`, test)

/**
 * A list is null when it has no element. Below a wildcard the elements are joined from outside: no element
 * counts as a null one.
 */
const nullTest = ({ scalar, wildcards, list }: ValuePlace, isNull: boolean): string => {
  if (list !== null) {
    return someElement(wildcards, `${isNull ? 'NOT ' : ''}EXISTS (SELECT 1 FROM ${list})`)
  }
  if (!isNull) return someElement(wildcards, `${scalar.sql} IS NOT NULL`)
  const outer = wildcards.map((elements) => `(SELECT 1) AS one LEFT JOIN ${elements} ON TRUE`)
  return someElement(outer, `${scalar.sql} IS NULL`)
}

type ValueSubject = Subject & { condition: Exclude<Subject['condition'], { kind: 'isNull' }> }

const valueTest = (place: ValuePlace, subject: ValueSubject): string => {
  const { condition, scope } = subject
  const isDifferent =
    (condition.kind === 'comparison' && condition.operator === '<>') ||
    ('negated' in condition && condition.negated)
  const negated = isDifferent !== scope.negated
  const contained = negated ? undefined : containmentTest(place, subject)
  if (contained !== undefined) return contained
  if (place.list === null) return someElement(place.wildcards, scalarTest(place, subject, negated))
  const some = someElement([place.list], scalarTest(place, subject, false))
  return someElement(place.wildcards, negated ? `NOT ${some}` : some)
}

/** The values of `=` and IN. */
const equalValues = (condition: ValueSubject['condition']): readonly Value[] | undefined => {
  if (condition.kind === 'in') return condition.values
  if (condition.kind !== 'comparison') return undefined
  return condition.operator === '=' || condition.operator === '<>' ? [condition.right] : undefined
}

/** Equality with a stored property as containment, which the index on `properties` answers. */
const containmentTest = (
  place: ValuePlace,
  { condition, reference, scope }: ValueSubject,
): string | undefined => {
  const { containing, scalar } = place
  const values = equalValues(condition)
  const { context } = scope
  if (!values || !containing || !context.containments(values.length)) return undefined
  const tests = values.map((value) => {
    const json = jsonFor(scalar.kind, valueFor(value, { scalar, reference, context }))
    // Bound as text: a driver would encode a string for `jsonb` once more.
    return json && `d.properties @> ${context.binder.bind(containing(json), 'text')}::jsonb`
  })
  if (tests.includes(undefined)) return undefined
  return tests.length === 1 ? tests[0] : `(${tests.join(' OR ')})`
}

const scalarTest = ({ scalar }: ValuePlace, subject: ValueSubject, negated: boolean): string => {
  const { condition, reference, scope } = subject
  const { context } = scope
  const { binder } = context
  const bound = (value: Value) => valueFor(value, { scalar, reference, context })
  const equals = equalValues(condition)
  if (equals && (condition.kind === 'comparison' || !EQUALITY_ONLY.has(reference.name))) {
    return isOneOf({ scalar, values: equals.map(bound), negated }, binder)
  }
  if (scalar.kind === 'boolean') throw onlyEquality(reference)
  switch (condition.kind) {
    case 'comparison': {
      const { operator, right } = condition
      return isOrdered({ scalar, operator, value: bound(right), negated }, binder)
    }
    case 'between':
      return isBetween({ scalar, low: bound(condition.low), high: bound(condition.high), negated }, binder)
    case 'like': {
      const pattern = likePattern(bound(condition.pattern))
      return isLike({ scalar, pattern, ignoreCase: condition.ignoreCase, negated }, binder)
    }
    case 'startsWith':
      return isAtOrUnder({ scalar, value: bound(condition.value), negated }, binder)
    case 'in':
      throw onlyEquality(reference)
  }
}
