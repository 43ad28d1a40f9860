import { z } from 'zod'
import { splitCommas } from '../../core/model/nxql/index.js'

const INTEGER = /^[+-]?\d{1,15}$/

const asNumber = (text: unknown): unknown => {
  if (typeof text !== 'string') return text
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  return INTEGER.test(trimmed) ? Number(trimmed) : trimmed
}

const integer = () => z.int({ error: ({ input }) => `'${input}' is not a whole number` })

/** A whole number among the query parameters; blank means absent. */
export const wholeNumber = z.preprocess(asNumber, integer().optional()).optional()

/** The same, zero or more. */
export const count = z
  .preprocess(
    asNumber,
    integer()
      .min(0, { error: ({ input }) => `${input} is negative` })
      .optional(),
  )
  .optional()

/** A parameter with comma-separated values, sent once or several times; absent is an empty list. */
export const commaList = z.preprocess(
  (values) => splitCommas((Array.isArray(values) ? values : []).join(',')),
  z.array(z.string()),
)

const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === ''

/** A text among the query parameters, without the blanks around it; blank means absent. */
export const word = z
  .preprocess(
    (value) => (isBlank(value) ? undefined : typeof value === 'string' ? value.trim() : value),
    z.string().optional(),
  )
  .optional()

/** The same, required. */
export const requiredWord = z.preprocess(
  (value) => (isBlank(value) ? undefined : typeof value === 'string' ? value.trim() : value),
  z.string({ error: 'the parameter is missing' }).meta({ pattern: '\\S' }),
)

/** `true` or `false`, the latter when absent. */
export const flag = z
  .preprocess(
    (text) => (text === 'true' ? true : text === 'false' ? false : text),
    z.boolean({ error: ({ input }) => `expected true or false, found "${input}"` }),
  )
  .default(false)

const TEXT = { error: 'must be a text' }

/** A text among the fields of an entity; blank and null mean absent. */
export const text = z
  .string(TEXT)
  .nullish()
  .transform((value) => (value === null || value === undefined || value.trim() === '' ? undefined : value))

/** The same, but a blank text is kept. */
export const anyText = z
  .string(TEXT)
  .nullish()
  .transform((value) => value ?? undefined)

/** The type of an entity in a request. */
export const entityType = <Type extends string>(type: Type) =>
  z.literal(type, { error: ({ input }) => `must be "${type}", not ${JSON.stringify(input)}` })

/** An entity in a request: unknown fields are dropped. */
export const entity = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object(
    { 'entity-type': entityType(type), ...shape },
    { error: `The request body must be an entity of type ${type}` },
  )
