import { z } from 'zod'
import { defineExtensionPoint, type Finding, type Reference } from '../../platform/contributions/index.js'
import { isPattern } from '../../platform/patterns/index.js'
import { fieldName, modelName } from './names.js'
import { readSchemaElement } from './schema-xml.js'

const scalarTypes = ['string', 'long', 'double', 'boolean', 'date', 'binary'] as const
const itemTypes = [...scalarTypes, 'blob', 'complex'] as const
const typeNames = itemTypes.flatMap((type) => [type, `${type}[]`] as const)

const fieldType = z.enum(typeNames)

/** A field as a designer writes it: `string[]`, or a map with its type and rules. */
export type FieldDefinition = z.output<typeof fieldType> | FieldDetails

export type FieldDetails = {
  type: z.output<typeof fieldType>
  fields?: Record<string, FieldDefinition>
  required?: boolean
  minLength?: number
  maxLength?: number
  pattern?: string
  values?: string[]
  minimum?: number | string
  maximum?: number | string
  minimumInclusive?: boolean
  maximumInclusive?: boolean
  default?: unknown
  resolver?: z.output<typeof resolver>
}

const validation = z.boolean().optional().describe('false: a value that refers to nothing is accepted')

const resolver = z.union([
  z.literal('user'),
  z.literal('document'),
  z.strictObject({ directory: modelName, validation }),
  z.strictObject({ user: z.enum(['user', 'group', 'any']), validation }),
  z.strictObject({ document: z.enum(['id', 'path', 'idOnly', 'pathOnly']), validation }),
])

const bound = z.union([z.number(), z.string()]).optional()

const fieldDefinition: z.ZodType<FieldDefinition> = z.lazy(() => z.union([fieldType, fieldDetails]))

const fieldDetails: z.ZodType<FieldDetails> = z
  .strictObject({
    type: fieldType.describe('`[]` after the type makes it a list'),
    fields: z.record(fieldName, fieldDefinition).optional().describe('Sub-fields, of complex fields only'),
    required: z.boolean().optional(),
    minLength: z.int().nonnegative().optional(),
    maxLength: z.int().positive().optional(),
    pattern: z.string().optional().describe('Regular expression that the whole text must match'),
    values: z.array(z.string()).nonempty().optional().describe('The only texts allowed'),
    minimum: bound.describe('Lowest number, or earliest date'),
    maximum: bound.describe('Highest number, or latest date'),
    minimumInclusive: z.boolean().optional().describe('false: the minimum itself is not allowed'),
    maximumInclusive: z.boolean().optional().describe('false: the maximum itself is not allowed'),
    default: z.unknown().optional().describe('Value in new documents'),
    resolver: resolver.optional().describe('What the value refers to'),
  })
  .superRefine(constraintsFit)
  .refine(({ type, fields }) => fields === undefined || type.startsWith('complex'), {
    path: ['fields'],
    message: 'only complex fields have sub-fields',
  })
  .refine(({ pattern }) => pattern === undefined || isPattern(pattern), {
    path: ['pattern'],
    message: 'not a regular expression',
  })
  .refine((details) => defaultFits(details), {
    path: ['default'],
    message: 'does not fit the type of the field',
  })

/** Rules that the field's type could never break are a mistake of the author. */
function constraintsFit(details: FieldDetails, context: z.RefinementCtx): void {
  const type = details.type.replace('[]', '')
  const refuse = (key: keyof FieldDetails, message: string) =>
    context.addIssue({ code: 'custom', path: [key], message })
  for (const key of ['minLength', 'maxLength', 'pattern', 'values', 'resolver'] as const) {
    if (details[key] !== undefined && type !== 'string') refuse(key, `only string fields have "${key}"`)
  }
  for (const key of ['minimum', 'maximum'] as const) {
    const value = details[key]
    if (value === undefined) continue
    const isDate = typeof value === 'string' && type === 'date' && DATE.test(value)
    const isNumber = typeof value === 'number' && (type === 'long' || type === 'double')
    if (!isDate && !isNumber)
      refuse(key, 'a number for long and double fields, a date such as 2024-12-31 for date fields')
  }
  const { minimum, maximum, minLength, maxLength } = details
  if (minimum !== undefined && maximum !== undefined && minimum > maximum)
    refuse('maximum', 'below the minimum')
  if (minLength !== undefined && maxLength !== undefined && minLength > maxLength)
    refuse('maxLength', 'below the minimum')
}

/** A day, or an instant in UTC to the millisecond: both sort as text. */
const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}\.\d{3}Z)?$/

const defaultFits = ({ type, default: value }: FieldDetails): boolean => {
  if (value === undefined) return true
  if (type.endsWith('[]')) {
    const item = type.slice(0, -2) as FieldDetails['type']
    return Array.isArray(value) && value.every((entry) => defaultFits({ type: item, default: entry }))
  }
  if (value === null) return false
  if (type === 'date') return typeof value === 'string' && DATE.test(value)
  if (type === 'long') return Number.isSafeInteger(value)
  if (type === 'double') return Number.isFinite(value)
  if (type === 'boolean') return typeof value === 'boolean'
  return type !== 'blob' && type !== 'complex' && typeof value === 'string'
}

export type SchemaContent = z.output<typeof schemaContent>

const schemaContent = z.strictObject({
  prefix: fieldName.optional().describe('Prefix of the properties; absent: the name of the schema'),
  fields: z.record(fieldName, fieldDefinition).default({}),
})

/** Content schemas: the fields that documents, directories and nodes may have. */
export const schemasPoint = defineExtensionPoint({
  point: 'schemas',
  elements: { schema: { read: readSchemaElement } },
  name: modelName,
  schema: schemaContent,
  references: ({ fields }) => checkedDirectories(fields),
  check: (content, { name, all }) => [
    ...complexWithoutFields(content.fields),
    ...sharedKeys(name, content, all),
  ],
})

/** Directories that values are checked against: without one, no value would be allowed. */
const checkedDirectories = (
  fields: Record<string, FieldDefinition>,
  path: readonly PropertyKey[] = ['fields'],
): Reference[] =>
  Object.entries(fields).flatMap(([name, definition]) => {
    if (typeof definition === 'string') return []
    const { resolver: target, fields: nested = {} } = definition
    const at = [...path, name]
    const isHeld = typeof target === 'object' && 'directory' in target && target.validation !== false
    return [
      ...(isHeld
        ? [{ path: [...at, 'resolver', 'directory'], point: 'directories', name: target.directory }]
        : []),
      ...checkedDirectories(nested, [...at, 'fields']),
    ]
  })

const complexWithoutFields = (
  fields: Record<string, FieldDefinition>,
  path: readonly PropertyKey[] = ['fields'],
): Finding[] =>
  Object.entries(fields).flatMap(([name, definition]) => {
    const at = [...path, name]
    const { type, fields: nested } = typeof definition === 'string' ? { type: definition } : definition
    if (!type.startsWith('complex')) return []
    if (nested === undefined || Object.keys(nested).length === 0) {
      return [{ path: at, message: 'a complex field needs "fields"' }]
    }
    return complexWithoutFields(nested, [...at, 'fields'])
  })

/** Two schemas may share a prefix, but not a property. */
const sharedKeys = (
  name: string,
  content: SchemaContent,
  all: ReadonlyMap<string, SchemaContent>,
): Finding[] => {
  const prefix = content.prefix ?? name
  const findings: Finding[] = []
  for (const [other, { prefix: otherPrefix, fields }] of all) {
    if (other === name) break
    if ((otherPrefix ?? other) !== prefix) continue
    const shared = Object.keys(content.fields).filter((field) => Object.hasOwn(fields, field))
    findings.push(
      ...shared.map((field) => ({
        path: ['fields', field],
        message: `schema "${other}" has the property ${prefix}:${field} already`,
      })),
    )
  }
  return findings
}
