import { INVERSE, type ValueTest } from '../../../core/model/nxql/index.js'
import { allOf, anyOf, type Bounds, type Clause, exists, NOTHING, not, oneOf, within } from './clauses.js'
import { notAnswerable } from './not-answerable.js'
import type { IndexPlace } from './place.js'
import { asked, askedEquals, dayAfter, startOf, wildcardPattern } from './scalars.js'

type Ordered = Extract<ValueTest, { kind: 'isOrdered' }>['operator']

const BOUNDS = { '<': 'lt', '<=': 'lte', '>': 'gt', '>=': 'gte' } as const

/** Beyond this a long is no longer one, and Elasticsearch refuses to compare with it. */
const LONG_LIMIT = 2 ** 63

const longBounds = (place: IndexPlace, operator: Ordered, value: string): Clause | undefined => {
  if (place.mapping.type !== 'long' || Math.abs(Number(value)) < LONG_LIMIT) return undefined
  const isBelow = Number(value) > 0
  return isBelow === (operator === '<' || operator === '<=') ? exists(place.field) : NOTHING
}

const dayBounds = (operator: keyof typeof BOUNDS, day: string): Bounds => {
  if (operator === '<' || operator === '>=') return { [BOUNDS[operator]]: startOf(day) }
  return operator === '<=' ? { lt: dayAfter(day) } : { gte: dayAfter(day) }
}

const ordered = (place: IndexPlace, operator: Ordered, value: string): Clause => {
  if (operator === '=' || operator === '<>') throw new Error(`${operator} is no order`)
  const text = asked(place.type, value)
  if (place.type === 'day') return within(place.field, dayBounds(operator, text))
  return longBounds(place, operator, text) ?? within(place.field, { [BOUNDS[operator]]: text })
}

const equals = (place: IndexPlace, values: readonly string[]): Clause => {
  const texts = askedEquals(place.type, values)
  if (place.type === 'day')
    return anyOf(texts.map((day) => within(place.field, { gte: startOf(day), lt: dayAfter(day) })))
  if (place.mapping.type === 'long')
    return oneOf(
      place.field,
      texts.filter((text) => Math.abs(Number(text)) < LONG_LIMIT),
    )
  return oneOf(place.field, texts)
}

const ASCII = /^[\0-\x7f]*$/

const like = (place: IndexPlace, { pattern, ignoreCase }: Extract<ValueTest, { kind: 'isLike' }>): Clause => {
  const value = asked('text', wildcardPattern(pattern))
  // Without regard to case it finds no empty text by an empty pattern.
  if (value === '') return oneOf(place.field, [value])
  // Elasticsearch takes the case of no other letters for the same.
  if (ignoreCase && !ASCII.test(value)) throw notAnswerable('ILIKE compares letters beyond ASCII')
  return { wildcard: { [place.field]: { value, case_insensitive: ignoreCase } } }
}

const holds = (place: IndexPlace, test: ValueTest): Clause => {
  switch (test.kind) {
    case 'isOneOf':
      return equals(place, test.values)
    case 'isOrdered':
      return ordered(place, test.operator, test.value)
    case 'isBetween':
      return allInOne(place, test.low, test.high)
    case 'isLike':
      return like(place, test)
    case 'isAtOrUnder': {
      const value = asked('text', test.value)
      const above = value.endsWith('/') ? value : `${value}/`
      return anyOf([oneOf(place.field, [value]), { prefix: { [place.field]: { value: above } } }])
    }
  }
}

/** Both bounds of one value: of a list, two values could fulfil one each. */
const allInOne = (place: IndexPlace, low: string, high: string): Clause => {
  const [from, to] = [asked(place.type, low), asked(place.type, high)]
  if (place.type === 'day') return within(place.field, { gte: startOf(from), lt: dayAfter(to) })
  const isLong = place.mapping.type === 'long'
  if (isLong && [from, to].some((text) => Math.abs(Number(text)) >= LONG_LIMIT)) {
    if (place.reach !== 'one') throw notAnswerable('a bound is larger than what the index compares')
    return allOf([ordered(place, '>=', low), ordered(place, '<=', high)])
  }
  return within(place.field, { gte: from, lte: to })
}

/** That some element is not so, which the index has as what else its value may be. */
const someOther = (place: IndexPlace, test: ValueTest): Clause => {
  switch (test.kind) {
    case 'isOrdered':
      return ordered(place, INVERSE[test.operator], test.value)
    case 'isBetween':
      return anyOf([ordered(place, '<', test.low), ordered(place, '>', test.high)])
    case 'isOneOf': {
      const [value, ...others] = askedEquals(place.type, test.values)
      if (place.type !== 'boolean' && value !== undefined && others.length === 0)
        return anyOf([ordered(place, '<', value), ordered(place, '>', value)])
    }
  }
  throw notAnswerable('elements of a list are asked for what they are not')
}

/** A test of the values of a place, or its opposite, which null is neither. */
export const valueClause = (place: IndexPlace, test: ValueTest, negated: boolean): Clause => {
  if (!negated) return holds(place, test)
  switch (place.reach) {
    case 'one':
      return allOf([exists(place.field), not(holds(place, test))])
    case 'list':
      return not(holds(place, test))
    case 'element':
    case 'inner':
      return someOther(place, test)
    case 'innerList':
      throw notAnswerable('elements of a list are asked for what none of theirs is')
  }
}
