import { type ErrorDetail, fail } from '../../platform/errors/index.js'
import { type Matching, withMatches } from '../../platform/patterns/index.js'
import type { Field, Schema } from '../content-model/index.js'
import { type Broken, brokenConstraints, type Constraint } from './constraints.js'
import { planOf } from './plan.js'
import type { Properties, PropertyValue } from './types.js'

type PathNode = { field_name: string; is_list_item: boolean; index?: number }

/** One entry of a validation report (rest-documents.md §11); `field` is the xpath. */
export type ConstraintViolation = ErrorDetail & {
  messageKey: string
  invalid_value: PropertyValue
  constraint: Constraint
  path: readonly PathNode[]
}

export type Position = { schema: Schema; xpath: string; names: readonly string[]; path: readonly PathNode[] }

type ValidationOptions = {
  /** Absent properties stay as they are, so they violate nothing. */
  isPartial?: boolean
  /** The same for all that one transaction validates: its patterns share one time limit. */
  transaction?: object
}

/**
 * The constraints of the content model that the values violate.
 *
 * @throws badRequest for values that take too long to match.
 */
export const validateProperties = (
  properties: Properties,
  schemas: readonly Schema[],
  { isPartial = false, transaction }: ValidationOptions = {},
): ConstraintViolation[] => {
  const work = () => violationsOf(properties, schemas, isPartial)
  const matchings = schemas.flatMap((schema) => matchingsIn(properties, schema))
  return withMatches(matchings, { work, transaction })
}

const violationsOf = (
  properties: Properties,
  schemas: readonly Schema[],
  isPartial: boolean,
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

/** @throws invalid with the violations as its details, and as `validateProperties`. */
export const requireValid = (
  properties: Properties,
  schemas: readonly Schema[],
  options?: ValidationOptions,
): void => requireNone(validateProperties(properties, schemas, options))

/** @throws invalid with the violations as its details; nothing when there are none. */
export const requireNone = (violations: readonly ConstraintViolation[]): void => {
  if (violations.length === 0) return
  const reasons = violations.map(({ field, message }) => `${field}: ${message}`)
  throw fail('invalid', reasons.join('; '), { details: violations })
}

const isViolation = (detail: ErrorDetail): detail is ConstraintViolation => 'messageKey' in detail

/** A reference, and where it stands. */
export type FoundReference = { field: Field; value: string; position: Position }

/** All references whose target must exist. */
export const referencesIn = (properties: Properties, schemas: readonly Schema[]): FoundReference[] =>
  schemas.flatMap((schema) =>
    planOf(schema).references.flatMap(({ key, field }) => {
      const path = [{ field_name: key, is_list_item: false }]
      const position = { schema, xpath: key, names: [field.name], path }
      return referencesBelow(field, properties[key] ?? null, position)
    }),
  )

const referencesBelow = (field: Field, value: PropertyValue, position: Position): FoundReference[] => {
  if (field.isList)
    return itemsOf(field, value, position).flatMap((item) =>
      referencesBelow(item.field, item.value, item.position),
    )
  if (field.resolver?.isChecked && typeof value === 'string') return [{ field, value, position }]
  return partsOf(field, value, position).flatMap((part) =>
    referencesBelow(part.field, part.value, part.position),
  )
}

/** The response body for an error of `requireValid`; undefined for the details of other errors. */
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

type Placed = { field: Field; value: PropertyValue; position: Position }

const itemsOf = (field: Field, value: PropertyValue, position: Position): Placed[] => {
  if (!Array.isArray(value)) return []
  const item = { ...field, isList: false, constraints: { ...field.constraints, required: false } }
  return value.map((entry, index) => ({
    field: item,
    value: entry,
    position: {
      ...position,
      xpath: `${position.xpath}/${index}`,
      path: [...position.path.slice(0, -1), { ...position.path.at(-1)!, is_list_item: true, index }],
    },
  }))
}

const partsOf = (field: Field, value: PropertyValue, position: Position): Placed[] => {
  if (field.type !== 'complex' || typeof value !== 'object' || value === null || Array.isArray(value))
    return []
  return field.fields.map((sub) => ({
    field: sub,
    value: Object.hasOwn(value, sub.name) ? (value[sub.name] ?? null) : null,
    position: {
      schema: position.schema,
      xpath: `${position.xpath}/${sub.name}`,
      names: [...position.names, sub.name],
      path: [...position.path, { field_name: sub.name, is_list_item: false }],
    },
  }))
}

const checkValue = (field: Field, value: PropertyValue, position: Position): ConstraintViolation[] => {
  const own = brokenConstraints(field, value).map((broken) => violationOf(value, position, broken))
  const below = field.isList ? itemsOf(field, value, position) : partsOf(field, value, position)
  return [...own, ...below.flatMap((part) => checkValue(part.field, part.value, part.position))]
}

const matchingsIn = (properties: Properties, schema: Schema): Matching[] =>
  planOf(schema).patterned.flatMap(({ key, field }) =>
    matchingsBelow(field, properties[key] ?? null, NOWHERE),
  )

const matchingsBelow = (field: Field, value: PropertyValue, position: Position): Matching[] => {
  const { pattern } = field.constraints
  if (pattern !== undefined && typeof value === 'string') return [{ pattern, text: value }]
  const below = field.isList ? itemsOf(field, value, position) : partsOf(field, value, position)
  return below.flatMap((part) => matchingsBelow(part.field, part.value, part.position))
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

export const violationOf = (
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
