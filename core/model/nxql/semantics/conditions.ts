import type { ContentModel } from '../../content-model/index.js'
import type { Comparison, Condition, Reference, StringLiteral, Value } from '../ast.js'
import { parseFulltext } from '../fulltext/parse.js'
import { withSynonyms } from '../fulltext/synonyms.js'
import { ancestorTest, facetTest, pathTest } from './hierarchy.js'
import { locate, valueAt } from './locate.js'
import { type Oriented, oriented } from './oriented.js'
import type { ValuePlace } from './place.js'
import { refuse } from './refuse.js'
import { termsTest } from './terms.js'
import type { Test, ValueTest } from './tests.js'
import { trashTest, withTrash } from './trash.js'
import { textFor, valueFor } from './values.js'

/** What conditions are read for: the model that their names are of, and the instant that `NOW()` means. */
type Scope = { model: ContentModel; now: Date }

/** A condition with its property on the left. */
type Subject = Exclude<Condition, Comparison> | Oriented

type ValueSubject = Exclude<Subject, { kind: 'isNull' }>

const isEquality = ({ operator }: Comparison): boolean => operator === '=' || operator === '<>'

/** The values of `=`, `<>` and IN. */
const equalValues = (condition: Subject): readonly Value[] | undefined => {
  if (condition.kind === 'in') return condition.values
  return condition.kind === 'comparison' && isEquality(condition) ? [condition.right] : undefined
}

/** Whether the opposite of `=`, IN, BETWEEN or LIKE is asked for. */
const isOpposite = (condition: Subject, negated: boolean): boolean => {
  const isDifferent =
    (condition.kind === 'comparison' && condition.operator === '<>') ||
    ('negated' in condition && condition.negated)
  return isDifferent !== negated
}

/** What `=` and LIKE search for; nothing else does (reference: nxql-search.md §4). */
const searchedText = (condition: Subject, reference: Reference): StringLiteral => {
  const isSearch =
    (condition.kind === 'comparison' && condition.operator === '=') ||
    (condition.kind === 'like' && !condition.negated && !condition.ignoreCase)
  if (!isSearch) throw refuse(`${reference.name} takes only = and LIKE`, reference.offset)
  const value = condition.kind === 'like' ? condition.pattern : condition.right
  if (value.kind !== 'string') throw refuse(`${reference.name} takes a string`, value.offset)
  return value
}

const valueTest = (condition: ValueSubject, place: ValuePlace, now: Date): ValueTest => {
  const { type, reference } = place
  const written = (value: Value) => valueFor(value, { kind: type, reference, now })
  const text = (literal: StringLiteral) => textFor(literal, { kind: type, reference })
  if (condition.kind === 'in') return { kind: 'isOneOf', values: condition.values.map(written) }
  if (condition.kind === 'comparison' && isEquality(condition))
    return { kind: 'isOneOf', values: [written(condition.right)] }
  if (type === 'boolean') throw refuse(`${reference.name} takes only = and <>`, reference.offset)
  switch (condition.kind) {
    case 'comparison': {
      const { operator, right } = condition
      return { kind: 'isOrdered', operator, value: written(right) }
    }
    case 'between':
      return { kind: 'isBetween', low: written(condition.low), high: written(condition.high) }
    case 'like':
      return { kind: 'isLike', pattern: text(condition.pattern), ignoreCase: condition.ignoreCase }
    case 'startsWith':
      return { kind: 'isAtOrUnder', value: text(condition.value) }
  }
}

const placeTest = (
  condition: Subject,
  place: ValuePlace,
  { now, negated }: { now: Date; negated: boolean },
): Test =>
  condition.kind === 'isNull'
    ? { kind: 'isNull', place, negated: condition.negated !== negated }
    : {
        kind: 'hasValue',
        place,
        test: valueTest(condition, place, now),
        negated: isOpposite(condition, negated),
      }

/**
 * What a condition, or its opposite, asks.
 *
 * @throws badRequest with the place of what is unknown, of another type, or has no meaning.
 */
export const testOf = (written: Condition, negated: boolean, { model, now }: Scope): Test => {
  const condition = written.kind === 'comparison' ? oriented(written) : written
  if (!condition) return termsTest(written as Comparison, negated, { model, now })
  const reference = condition.kind === 'comparison' ? condition.left : condition.reference
  const place = locate(reference, model)
  switch (place.kind) {
    case 'path':
      return pathTest(condition, reference, negated)
    case 'ancestor':
      return ancestorTest(condition, reference, negated)
    case 'facets':
      return facetTest(condition, reference, { model, negated })
    case 'trash':
      return trashTest(condition, reference, negated)
    case 'state': {
      const value = valueAt(place, reference)
      if (!value) throw refuse(`${reference.name} has no value`, reference.offset)
      const trash = { values: equalValues(condition), negated: isOpposite(condition, negated) }
      return withTrash(placeTest(condition, value, { now, negated }), trash)
    }
    case 'search': {
      const written = parseFulltext(searchedText(condition, reference).value)
      const alternatives = withSynonyms(written, model.fulltext.synonyms)
      return { kind: 'isFound', alternatives, weight: place.weight, negated, reference }
    }
    case 'searchText': {
      const { value, offset } = searchedText(condition, reference)
      const pattern = { kind: 'string', value: `%${value}%`, offset } as const
      const like = { kind: 'like', reference, pattern, ignoreCase: true, negated: false, offset } as const
      return placeTest(like, { ...place.place, reference }, { now, negated })
    }
    case 'score':
      throw refuse(`${reference.name} is no condition, only for SELECT and ORDER BY`, reference.offset)
    case 'value':
      return placeTest(condition, place, { now, negated })
  }
}
