import type {
  Comparison,
  Condition,
  Reference,
  StringLiteral,
  Value,
} from '../../../core/model/nxql/index.js'
import { containmentTest } from './containment.js'
import type { Context } from './context.js'
import { compareExpressions } from './expression.js'
import { searchText } from './fulltext.js'
import { ancestorTest, mixinTest, pathTest, type Scope } from './hierarchy.js'
import { likePattern } from './like.js'
import { type Place, placeOf, type ValuePlace, valuePlaceOf } from './place.js'
import { equalValues, isNegated, oriented, type Subject, type ValueSubject } from './subject.js'
import { someElement, someOrNoElement } from './tables.js'
import { isAtOrUnder, isBetween, isLike, isOneOf, isOrdered } from './tests.js'
import { TITLE, withTitlePrefix } from './title.js'
import { trashTest, withTrash } from './trash.js'
import { refuse } from './unsupported.js'
import { valueFor } from './values.js'

/** Compiles a predicate about one property to SQL; `negated` asks for its opposite. */
export const compileCondition = (written: Condition, negated: boolean, context: Context): string => {
  const condition = written.kind === 'comparison' ? oriented(written) : written
  if (!condition) return compareExpressions(written as Comparison, negated, context)
  const reference = condition.kind === 'comparison' ? condition.left : condition.reference
  const place = placeOf(reference, context)
  const scope: Scope = { context, negated }
  return compileAt(place, { condition, reference, scope })
}

const compileAt = (place: Place, { condition, reference, scope }: Subject): string => {
  switch (place.kind) {
    case 'path':
      return pathTest(condition, reference, scope)
    case 'ancestor':
      return ancestorTest(condition, reference, scope)
    case 'mixin':
      return mixinTest(condition, reference, scope)
    case 'trash':
      return trashTest(condition, reference, scope)
    case 'search':
      if (!scope.context.searches(1)) throw refuse('too many conditions on ecm:fulltext', reference.offset)
      return searchText(searchedText(condition, reference).value, { ...place, ...scope })
    case 'searchText': {
      const { value, offset } = searchedText(condition, reference)
      const pattern = { kind: 'string', value: `%${value}%`, offset } as const
      const like = { kind: 'like', reference, pattern, ignoreCase: true, negated: false, offset } as const
      return valueTest(place.place, { condition: like, reference, scope })
    }
    case 'score':
      throw refuse('ecm:fulltextScore is no condition, only for SELECT and ORDER BY', reference.offset)
    case 'state':
      return stateTest({ condition, reference, scope })
    case 'value':
      return anyTest(place, { condition, reference, scope })
  }
}

const stateTest = (subject: Subject): string => {
  const { condition, reference, scope } = subject
  const place = valuePlaceOf({ ...reference, cast: null }, scope.context)
  if (!place) throw refuse(`${reference.name} has no value`, reference.offset)
  const values = condition.kind === 'isNull' ? undefined : equalValues(condition)
  return withTrash(() => anyTest(place, subject), { values, negated: isNegated(subject) })
}

const anyTest = (place: ValuePlace, { condition, reference, scope }: Subject): string => {
  if (condition.kind !== 'isNull') return valueTest(place, { condition, reference, scope })
  return nullTest(place, condition.negated === scope.negated)
}

/** What `=` and LIKE search for; nothing else does (reference: nxql-search.md §4). */
const searchedText = (condition: Subject['condition'], reference: Reference): StringLiteral => {
  const isSearch =
    (condition.kind === 'comparison' && condition.operator === '=') ||
    (condition.kind === 'like' && !condition.negated && !condition.ignoreCase)
  if (!isSearch) throw refuse(`${reference.name} takes only = and LIKE`, reference.offset)
  const value = condition.kind === 'like' ? condition.pattern : condition.right
  if (value.kind !== 'string') throw refuse(`${reference.name} takes a string`, value.offset)
  return value
}

const onlyEquality = ({ name, offset }: Reference) => refuse(`${name} takes only = and <>`, offset)

/** A list is null when it has no element. */
const nullTest = ({ scalar, wildcards, list }: ValuePlace, isNull: boolean): string => {
  const test =
    list === null
      ? `${scalar.sql} IS ${isNull ? '' : 'NOT '}NULL`
      : `${isNull ? 'NOT ' : ''}EXISTS (SELECT 1 FROM ${list})`
  return isNull ? someOrNoElement(wildcards, test) : someElement(wildcards, test)
}

const valueTest = (place: ValuePlace, subject: ValueSubject): string => {
  const negated = isNegated(subject)
  const contained = negated ? undefined : containmentTest(place, subject)
  if (contained !== undefined) return contained
  if (place.list === null) return someElement(place.wildcards, scalarTest(place, subject, negated))
  const some = `EXISTS (SELECT 1 FROM ${place.list} WHERE ${scalarTest(place, subject, false)})`
  return negated ? someOrNoElement(place.wildcards, `NOT ${some}`) : someElement(place.wildcards, some)
}

const scalarTest = ({ scalar }: ValuePlace, subject: ValueSubject, negated: boolean): string => {
  const { condition, reference, scope } = subject
  const { context } = scope
  const { binder } = context
  const bound = (value: Value) => valueFor(value, { scalar, reference, context })
  if (condition.kind === 'in')
    return isOneOf({ scalar, values: condition.values.map(bound), negated }, binder)
  const [equal] = equalValues(condition) ?? []
  if (equal) return isOneOf({ scalar, values: [bound(equal)], negated }, binder)
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
      const like = isLike({ scalar, pattern, ignoreCase: condition.ignoreCase, negated }, binder)
      const isIndexed = scalar.sql === TITLE && !negated && !condition.ignoreCase
      return isIndexed ? withTitlePrefix(like, pattern, binder) : like
    }
    case 'startsWith':
      return isAtOrUnder({ scalar, value: bound(condition.value), negated }, binder)
  }
}
