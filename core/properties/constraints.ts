import type { Field } from '../content-model/index.js'
import type { PropertyValue } from '../documents/types.js'

/** A constraint as the wire names it (rest-documents.md §10); parameter values are texts. */
export type Constraint = {
  'entity-type': 'validation_constraint'
  name: string
  parameters: { [parameter: string]: string }
}

export type Broken = { constraint: Constraint; message: string }

/** The constraints of a field that one value breaks; a list is asked only whether it may be empty. */
export const brokenConstraints = (field: Field, value: PropertyValue): Broken[] => {
  const { required, minLength, maxLength, pattern, values } = field.constraints
  if (value === null) return required ? [broken('NotNullConstraint', {}, 'This value is required')] : []
  if (field.isList || typeof value !== 'string') return []
  const found: Broken[] = []
  if (value.length < (minLength ?? 0) || value.length > (maxLength ?? Number.POSITIVE_INFINITY)) {
    found.push(broken('LengthConstraint', lengths(field), lengthMessage(field)))
  }
  if (pattern !== undefined && !patternOf(pattern).test(value)) {
    found.push(broken('PatternConstraint', { Pattern: pattern }, `This value must match ${pattern}`))
  }
  if (values !== undefined && !values.includes(value)) {
    found.push(
      broken(
        'EnumConstraint',
        { Values: values.join(', ') },
        `This value must be one of ${values.join(', ')}`,
      ),
    )
  }
  return found
}

const broken = (name: string, parameters: Constraint['parameters'], message: string): Broken => ({
  constraint: { 'entity-type': 'validation_constraint', name, parameters },
  message,
})

const lengths = ({ constraints: { minLength, maxLength } }: Field): Constraint['parameters'] => ({
  ...(minLength !== undefined && { Minimum: String(minLength) }),
  ...(maxLength !== undefined && { Maximum: String(maxLength) }),
})

const lengthMessage = ({ constraints: { minLength, maxLength } }: Field): string => {
  if (minLength === undefined) return `This value must have at most ${maxLength} characters`
  if (maxLength === undefined) return `This value must have at least ${minLength} characters`
  return `This value must have between ${minLength} and ${maxLength} characters`
}

// As many as the content models have patterns; a compiled expression without flags g and y keeps no state.
const patterns = new Map<string, RegExp>()

/** XML Schema patterns match the whole text. */
const patternOf = (pattern: string): RegExp => {
  const known = patterns.get(pattern)
  if (known) return known
  const compiled = new RegExp(`^(?:${pattern})$`, 'u')
  patterns.set(pattern, compiled)
  return compiled
}
