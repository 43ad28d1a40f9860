import type { z } from 'zod'
import { fail } from '../../core/platform/errors/index.js'
import type { RequestContext } from '../edge/index.js'

/** `entries[0].uid`: the place of a value in the input; empty for the input itself. */
const placeOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((place, step) => {
    if (typeof step === 'number') return `${place}[${step}]`
    return place === '' ? String(step) : `${place}.${String(step)}`
  }, '')

/**
 * Parses an input with a schema.
 *
 * @throws badRequest with the place and the reason of the first thing that does not fit: `name: must be a text`.
 */
export const parseInput = <Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> => {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const { path, message } = issue!
  const place = placeOf(path)
  throw fail('badRequest', place === '' ? message : `${place}: ${message}`)
}

type QueryField = { name: string; isList: boolean }

const isList = (schema: z.core.$ZodType): boolean => {
  const { def } = schema._zod as z.core.$ZodTypeInternals & { def: { type: string } }
  if (def.type === 'array') return true
  if (def.type === 'pipe') return isList((def as unknown as z.core.$ZodPipeDef).out)
  return 'innerType' in def && isList(def.innerType as z.core.$ZodType)
}

// Schemas are module constants, so that the cache is bounded.
const known = new WeakMap<z.ZodObject, readonly QueryField[]>()

const queryFieldsOf = (schema: z.ZodObject): readonly QueryField[] => {
  const found = known.get(schema)
  if (found) return found
  const fields = Object.entries(schema.shape).map(([name, value]) => ({ name, isList: isList(value) }))
  known.set(schema, fields)
  return fields
}

/**
 * Parses the query parameters that a schema declares. A list gets all occurrences of its parameter, any other the
 * first one.
 *
 * @throws badRequest naming the first parameter that does not fit.
 */
export const parseQuery = <Schema extends z.ZodObject>(
  c: RequestContext,
  schema: Schema,
): z.output<Schema> => {
  const input: { [name: string]: string | string[] | undefined } = {}
  for (const { name, isList: takesAll } of queryFieldsOf(schema))
    input[name] = takesAll ? c.req.queries(name) : c.req.query(name)
  return parseInput(schema, input)
}
