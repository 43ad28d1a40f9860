import { isMatch } from '../../platform/patterns/index.js'
import type { Field } from '../content-model/index.js'
import type { PropertyValue } from './types.js'

/** A constraint as the wire names it (rest-documents.md §10); parameter values are texts. */
export type Constraint = {
  'entity-type': 'validation_constraint'
  name: string
  parameters: { [parameter: string]: string }
}

export type Broken = { constraint: Constraint; message: string }

type Rule = {
  /** Undefined when the field has no such constraint. */
  constraintOf(field: Field): Constraint | undefined
  /** Asked for values that are not null alone. */
  isBroken(field: Field, value: PropertyValue): boolean
  message(field: Field): string
}

const constraint = (name: string, parameters: Constraint['parameters'] = {}): Constraint => ({
  'entity-type': 'validation_constraint',
  name,
  parameters,
})

const length: Rule = {
  constraintOf: ({ constraints: { minLength, maxLength } }) =>
    minLength === undefined && maxLength === undefined
      ? undefined
      : constraint('LengthConstraint', {
          ...(minLength !== undefined && { Minimum: String(minLength) }),
          ...(maxLength !== undefined && { Maximum: String(maxLength) }),
        }),
  isBroken: ({ constraints: { minLength, maxLength } }, value) =>
    typeof value === 'string' &&
    (value.length < (minLength ?? 0) || value.length > (maxLength ?? Number.POSITIVE_INFINITY)),
  message: ({ constraints: { minLength, maxLength } }) => {
    if (minLength === undefined) return `This value must have at most ${maxLength} characters`
    if (maxLength === undefined) return `This value must have at least ${minLength} characters`
    return `This value must have between ${minLength} and ${maxLength} characters`
  },
}

const pattern: Rule = {
  constraintOf: ({ constraints: { pattern } }) =>
    pattern === undefined ? undefined : constraint('PatternConstraint', { Pattern: pattern }),
  isBroken: ({ constraints: { pattern } }, value) =>
    typeof value === 'string' && pattern !== undefined && !isMatch(pattern, value),
  message: ({ constraints: { pattern } }) => `This value must match ${pattern}`,
}

const oneOf: Rule = {
  constraintOf: ({ constraints: { values } }) =>
    values && constraint('EnumConstraint', { Values: values.join(', ') }),
  isBroken: ({ constraints: { values } }, value) =>
    typeof value === 'string' && values !== undefined && !values.includes(value),
  message: ({ constraints: { values = [] } }) => `This value must be one of ${values.join(', ')}`,
}

const interval: Rule = {
  constraintOf: ({ type, constraints }) => {
    const { minimum, maximum, minimumInclusive = true, maximumInclusive = true } = constraints
    if (minimum === undefined && maximum === undefined) return undefined
    return constraint(type === 'date' ? 'DateIntervalConstraint' : 'NumericIntervalConstraint', {
      ...(minimum !== undefined && {
        Minimum: String(minimum),
        MinimumInclusive: String(minimumInclusive),
      }),
      ...(maximum !== undefined && {
        Maximum: String(maximum),
        MaximumInclusive: String(maximumInclusive),
      }),
    })
  },
  isBroken: ({ constraints }, value) => {
    const { minimum, maximum, minimumInclusive = true, maximumInclusive = true } = constraints
    if (typeof value !== 'number' && typeof value !== 'string') return false
    const below =
      minimum !== undefined && (minimumInclusive ? value < instant(minimum) : value <= instant(minimum))
    const above =
      maximum !== undefined && (maximumInclusive ? value > instant(maximum) : value >= instant(maximum))
    return below || above
  },
  message: ({ constraints }) => {
    const { minimum, maximum, minimumInclusive = true, maximumInclusive = true } = constraints
    const lower = minimum === undefined ? [] : [`${minimumInclusive ? 'at least' : 'more than'} ${minimum}`]
    const upper = maximum === undefined ? [] : [`${maximumInclusive ? 'at most' : 'less than'} ${maximum}`]
    return `This value must be ${[...lower, ...upper].join(' and ')}`
  },
}

/** A day begins at midnight in UTC; dates of documents are compared as text. */
const instant = (bound: number | string): number | string =>
  typeof bound === 'string' && bound.length === 10 ? `${bound}T00:00:00.000Z` : bound

const RULES: readonly Rule[] = [length, pattern, oneOf, interval]

const NOT_NULL = constraint('NotNullConstraint')

/** The constraint of a reference, under the name of its resolver. */
export const resolverConstraint = ({ resolver }: Field): Constraint | undefined => {
  switch (resolver?.kind) {
    case undefined:
      return undefined
    case 'directory':
      return constraint('directoryResolver', { directory: resolver.directory ?? '' })
    case 'document':
      return constraint('documentResolver', { store: resolver.store ?? 'id' })
    case 'user':
      return constraint('userManagerResolver', {
        ...(resolver.only && { filter: resolver.only }),
        includeUsers: String(resolver.only !== 'group'),
        includeGroups: String(resolver.only !== 'user'),
      })
  }
}

/**
 * The constraints that `fetch-schema: fields` shows of a field (rest-documents.md §10): those of a list itself,
 * and those of a single value or of each item of a list.
 */
export const constraintsOf = (field: Field): { own: Constraint[]; ofItems: Constraint[] } => {
  const required = field.constraints.required ? [NOT_NULL] : []
  const resolver = resolverConstraint(field)
  const ofValue = [
    constraint('TypeConstraint', { Type: field.type }),
    ...RULES.flatMap((rule) => rule.constraintOf(field) ?? []),
    ...(resolver ? [resolver] : []),
  ]
  return field.isList
    ? { own: [...required, constraint('TypeConstraint', { Type: 'list' })], ofItems: ofValue }
    : { own: [...required, ...ofValue], ofItems: [] }
}

/** The constraints of a field that one value breaks; a list is asked only whether it may be empty. */
export const brokenConstraints = (field: Field, value: PropertyValue): Broken[] => {
  if (value === null)
    return field.constraints.required ? [{ constraint: NOT_NULL, message: 'This value is required' }] : []
  if (field.isList) return []
  return RULES.flatMap((rule) => {
    const own = rule.constraintOf(field)
    return own && rule.isBroken(field, value) ? [{ constraint: own, message: rule.message(field) }] : []
  })
}
