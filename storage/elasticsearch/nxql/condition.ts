import {
  type Condition,
  type Test,
  testOf,
  type ValuePlace,
  variablesOf,
} from '../../../core/model/nxql/index.js'
import { allOf, anyOf, type Clause, exists, not } from './clauses.js'
import type { Context } from './context.js'
import { searchClause } from './fulltext.js'
import {
  belowClause,
  belowIdClause,
  facetClause,
  movedToTrashClause,
  pathClause,
  trashClause,
} from './hierarchy.js'
import { hintClause } from './hints/hint-clause.js'
import { hintOf } from './hints/hinted.js'
import { notAnswerable } from './not-answerable.js'
import { fieldOf, type IndexPlace, noteVariables } from './place.js'
import { valueClause } from './value-tests.js'

/** Where a condition finds its values. All of them must be there, but for texts that are found by being there. */
const placeOf = (place: ValuePlace, context: Context, isFoundAsIs = false): IndexPlace => {
  const found = fieldOf(place, context)
  noteVariables(variablesOf(place), context)
  if (!isFoundAsIs || found.mapping.type !== 'keyword') context.complete.add(found.field)
  return found
}

const nullClause = (place: ValuePlace, wantsNull: boolean, context: Context): Clause => {
  const { field, reach } = placeOf(place, context)
  if (!wantsNull) return exists(field)
  if (reach === 'inner' || reach === 'innerList')
    throw notAnswerable(`${place.reference.name} is asked for elements without a value`)
  return not(exists(field))
}

const testClause = (test: Test, context: Context): Clause => {
  switch (test.kind) {
    case 'all':
    case 'any': {
      const clauses = test.tests.map((one) => testClause(one, context))
      return test.kind === 'all' ? allOf(clauses) : anyOf(clauses)
    }
    case 'isAt':
      context.complete.add('ecm:path')
      return pathClause(test)
    case 'isBelow':
      context.complete.add('ecm:path')
      return belowClause(test)
    case 'isBelowId':
      return belowIdClause(test)
    case 'hasFacet':
      return facetClause(test)
    case 'isTrashed':
      return trashClause(test)
    case 'wasMovedToTrash':
      return movedToTrashClause(test)
    case 'isFound':
      return searchClause(test, context)
    case 'compares':
      throw notAnswerable('properties are compared with each other, or computed with')
    case 'isNull':
      return nullClause(test.place, !test.negated, context)
    case 'hasValue': {
      const isFoundAsIs = !test.negated && test.test.kind === 'isOneOf'
      return valueClause(placeOf(test.place, context, isFoundAsIs), test.test, test.negated)
    }
  }
}

/** A predicate about one property; `negated` asks for its opposite. */
export const conditionClause = (written: Condition, negated: boolean, context: Context): Clause => {
  const hint = hintOf(written)
  if (hint) return hintClause({ condition: written, hint, negated }, context)
  return testClause(testOf(written, negated, context), context)
}
