import { z } from 'zod'
import { defineExtensionPoint, type Finding } from '../../platform/contributions/index.js'
import { expressionFindings } from '../../platform/sandbox/expressions/index.js'

const FIELD_TYPES = ['string', 'long', 'double', 'boolean', 'date', 'blob', 'object', 'list'] as const

/** The name stands in addresses, in `entity-type`, and in a header. */
const NAME = /^[A-Za-z][\w.-]{0,127}$/
const FIELD_NAME = /^[A-Za-z_$][\w$-]{0,127}$/

const RESERVED = ['id', 'type']

const MAX_EXPRESSION = 10_000
const expression = z.string().min(1).max(MAX_EXPRESSION)

const fieldDetails = z.strictObject({
  xpath: z.string().min(1).optional().describe('The property that it stands for, e.g. dc:title'),
  type: z
    .enum(FIELD_TYPES)
    .optional()
    .describe("What the caller must send; the property's own type when absent"),
  readOnly: z.boolean().optional().describe('true: what a caller sends for it is ignored'),
  value: expression
    .optional()
    .describe('Instead of xpath: an expression over Document, and This with the fields before it'),
})

export type FieldType = (typeof FIELD_TYPES)[number]

const adapterContent = z.strictObject({
  type: z
    .string()
    .min(1)
    .optional()
    .describe('Documents of this type, and of those below it, have the object'),
  fields: z
    .record(z.string(), z.union([z.string().min(1), fieldDetails]))
    .default({})
    .describe('By name in the object: an xpath, or its details'),
  onWrite: z
    .record(z.string(), expression)
    .default({})
    .describe('Properties worked out when the object is written, by xpath, over Document and This'),
})

export type AdapterContent = z.output<typeof adapterContent>

const checkField = (name: string, field: AdapterContent['fields'][string]): Finding[] => {
  const path = ['fields', name]
  if (RESERVED.includes(name))
    return [{ path, message: 'is always there and cannot be declared', onKey: true }]
  if (!FIELD_NAME.test(name))
    return [{ path, message: 'is not a name of letters, digits, _ and -', onKey: true }]
  if (typeof field === 'string') return []
  const hasBoth = field.xpath !== undefined && field.value !== undefined
  if (hasBoth || (field.xpath === undefined && field.value === undefined))
    return [{ path, message: 'needs either "xpath" or "value"' }]
  return expressionFindings([...path, 'value'], field.value)
}

/** Business objects: how documents of a type look as an object of their own (rest-documents.md §7, `@bo`). */
export const adaptersPoint = defineExtensionPoint({
  point: 'adapters',
  elements: { adapter: {} },
  schema: adapterContent,
  references: ({ type }) => (type === undefined ? [] : [{ path: ['type'], point: 'types', name: type }]),
  check: ({ type, fields, onWrite }, { name }) => [
    ...(NAME.test(name) ? [] : [{ path: [], message: 'the name must be letters, digits, ".", "_" and "-"' }]),
    ...(type === undefined ? [{ path: [], message: 'needs a "type"' }] : []),
    ...Object.entries(fields).flatMap(([field, details]) => checkField(field, details)),
    ...Object.entries(onWrite).flatMap(([xpath, text]) => expressionFindings(['onWrite', xpath], text)),
  ],
})
