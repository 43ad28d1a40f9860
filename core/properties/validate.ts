import type { Field, Schema } from '../content-model/index.js'
import type { Properties, PropertyValue } from '../documents/types.js'
import { type ErrorDetail, fail } from '../errors/index.js'
import { type Broken, brokenConstraints, type Constraint } from './constraints.js'
import { planOf } from './plan.js'

type PathNode = { field_name: string; is_list_item: boolean; index?: number }

/** One entry of a validation report (rest-documents.md §11); `field` is the xpath. */
export type ConstraintViolation = ErrorDetail & {
  messageKey: string
  invalid_value: PropertyValue
  constraint: Constraint
  path: readonly PathNode[]
}

type Position = { schema: Schema; xpath: string; names: readonly string[]; path: readonly PathNode[] }

/**
 * What of the content model's constraints the values break.
 *
 * @param options.isPartial properties that are absent are left as they are, so they break nothing
 */
export const validateProperties = (
  properties: Properties,
  schemas: readonly Schema[],
  { isPartial = false }: { isPartial?: boolean } = {},
): ConstraintViolation[] => {
  const violations: ConstraintViolation[] = []
  for (const schema of schemas) {
    for (const { key, field } of planOf(schema).constrained) {
      const value = properties[key]
      if (value === undefined && isPartial) continue
      const path = [{ field_name: key, is_list_item: false }]
      violations.push(...checkValue(field, value ?? null, { schema, xpath: key, names: [field.name], path }))
    }
  }
  return violations
}

/** @throws invalid with the violations as its details. */
export const requireValid = (
  properties: Properties,
  schemas: readonly Schema[],
  options?: { isPartial?: boolean },
): void => {
  const violations = validateProperties(properties, schemas, options)
  if (violations.length === 0) return
  const reasons = violations.map(({ field, message }) => `${field}: ${message}`)
  throw fail('invalid', reasons.join('; '), { details: violations })
}

const isViolation = (detail: ErrorDetail): detail is ConstraintViolation => 'messageKey' in detail

/** The body that answers an error of `requireValid`; undefined for the details of other errors. */
export const validationReport = (details: readonly ErrorDetail[]) => {
  const violations = details.filter(isViolation)
  if (violations.length === 0) return undefined
  return {
    'entity-type': 'validation_report',
    has_error: true,
    number: violations.length,
    violations: violations.map(({ messageKey, message, invalid_value, constraint, path }) => ({
      messageKey,
      message,
      invalid_value,
      constraint,
      path,
    })),
  }
}

const checkValue = (field: Field, value: PropertyValue, position: Position): ConstraintViolation[] => {
  const own = brokenConstraints(field, value).map((broken) => violation(value, position, broken))
  if (!field.isList) return [...own, ...checkParts(field, value, position)]
  if (!Array.isArray(value)) return own
  const item = { ...field, isList: false, constraints: { ...field.constraints, required: false } }
  const ofItems = value.flatMap((entry, index) => {
    const path = [...position.path.slice(0, -1), { ...position.path.at(-1)!, is_list_item: true, index }]
    return checkValue(item, entry, { ...position, xpath: `${position.xpath}/${index}`, path })
  })
  return [...own, ...ofItems]
}

const checkParts = (field: Field, value: PropertyValue, position: Position): ConstraintViolation[] => {
  if (field.type !== 'complex' || typeof value !== 'object' || value === null || Array.isArray(value))
    return []
  return field.fields.flatMap((sub) =>
    checkValue(sub, Object.hasOwn(value, sub.name) ? (value[sub.name] ?? null) : null, {
      schema: position.schema,
      xpath: `${position.xpath}/${sub.name}`,
      names: [...position.names, sub.name],
      path: [...position.path, { field_name: sub.name, is_list_item: false }],
    }),
  )
}

/** Whether a value breaks a constraint of its field, or of one below it. */
export const breaksConstraints = (field: Field, value: PropertyValue): boolean =>
  checkValue(field, value, NOWHERE).length > 0

const NOWHERE: Position = {
  schema: { name: '', prefix: '', hasPrefix: false, fields: new Map() },
  xpath: '',
  names: [],
  path: [{ field_name: '', is_list_item: false }],
}

const violation = (
  value: PropertyValue,
  { schema, xpath, names, path }: Position,
  { constraint, message }: Broken,
): ConstraintViolation => ({
  field: xpath,
  messageKey: ['label.schema.constraint.violation', constraint.name, schema.name, ...names].join('.'),
  message,
  invalid_value: value,
  constraint,
  path,
})
