import { type Condition, type Test, testOf, type ValueTest } from '../../../../core/model/nxql/index.js'
import type { Context } from '../context.js'
import { d } from '../places/names.js'
import { placeSql, type SqlPlace } from '../places/place.js'
import type { Scalar } from '../places/scalar.js'
import { TRASHED } from '../places/special.js'
import { someElement, someOrNoElement } from '../places/tables.js'
import { containmentText } from './containment.js'
import { searchText } from './fulltext.js'
import { belowIdText, belowText, facetText, pathText } from './hierarchy.js'
import { likePattern } from './like-pattern.js'
import { isAtOrUnder, isBetween, isLike, isOneOf, isOrdered } from './scalar-tests.js'
import { compareTerms } from './terms.js'
import { TITLE, withTitlePrefix } from './title.js'

/** A predicate about one property as SQL; `negated` asks for its opposite. */
export const compileCondition = (written: Condition, negated: boolean, context: Context): string =>
  testText(testOf(written, negated, context), context)

const testText = (test: Test, context: Context): string => {
  switch (test.kind) {
    case 'all':
    case 'any':
      return `(${test.tests.map((one) => testText(one, context)).join(test.kind === 'all' ? ' AND ' : ' OR ')})`
    case 'isAt':
      return pathText(test, context)
    case 'isBelow':
      return belowText(test, context)
    case 'isBelowId':
      return belowIdText(test, context)
    case 'hasFacet':
      return facetText(test, context)
    case 'isTrashed':
      return test.negated ? `${TRASHED} IS NOT TRUE` : TRASHED
    case 'wasMovedToTrash':
      return test.negated ? `NOT ${d.isTrashed}` : d.isTrashed
    case 'isFound':
      return searchText(test, context)
    case 'compares':
      return compareTerms(test, context)
    case 'isNull':
      return nullText(placeSql(test.place, context), !test.negated)
    case 'hasValue':
      return valueText(placeSql(test.place, context), test, context)
  }
}

/** A list is null when it has no element. */
const nullText = ({ scalar, wildcards, list }: SqlPlace, isNull: boolean): string => {
  const test =
    list === null
      ? `${scalar.sql} IS ${isNull ? '' : 'NOT '}NULL`
      : `${isNull ? 'NOT ' : ''}EXISTS (SELECT 1 FROM ${list})`
  return isNull ? someOrNoElement(wildcards, test) : someElement(wildcards, test)
}

type ValueAsked = Extract<Test, { kind: 'hasValue' }>

const valueText = (place: SqlPlace, { test, negated }: ValueAsked, context: Context): string => {
  const { wildcards, list, scalar } = place
  const contained = test.kind === 'isOneOf' && !negated ? containmentText(place, test, context) : undefined
  if (contained !== undefined) return contained
  if (list === null) return someElement(wildcards, scalarText(scalar, test, { negated, context }))
  const some = `EXISTS (SELECT 1 FROM ${list} WHERE ${scalarText(scalar, test, { negated: false, context })})`
  return negated ? someOrNoElement(wildcards, `NOT ${some}`) : someElement(wildcards, some)
}

const scalarText = (
  scalar: Scalar,
  test: ValueTest,
  { negated, context }: { negated: boolean; context: Context },
): string => {
  const { binder } = context
  switch (test.kind) {
    case 'isOneOf':
      return isOneOf({ scalar, values: test.values, negated }, binder)
    case 'isOrdered':
      return isOrdered({ scalar, operator: test.operator, value: test.value, negated }, binder)
    case 'isBetween':
      return isBetween({ scalar, low: test.low, high: test.high, negated }, binder)
    case 'isLike': {
      const pattern = likePattern(test.pattern)
      const like = isLike({ scalar, pattern, ignoreCase: test.ignoreCase, negated }, context)
      const isIndexed = scalar.sql === TITLE && !negated && !test.ignoreCase
      return isIndexed ? withTitlePrefix(like, pattern, binder) : like
    }
    case 'isAtOrUnder':
      return isAtOrUnder({ scalar, value: test.value, negated }, binder)
  }
}
