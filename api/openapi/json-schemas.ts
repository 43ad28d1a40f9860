import { z } from 'zod'

export type JsonSchema = { [key: string]: unknown }

/** The bounds of JavaScript numbers are no bounds of the API. */
const withoutSafeBounds = (schema: JsonSchema): void => {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
}

const PLACE = /"#\/\$defs\//g

/**
 * The JSON Schemas of inputs or outputs, converted together, which takes a third of the time of one by one. Schemas
 * named by `component` become references, and are returned separately.
 */
export const jsonSchemasOf = (
  schemas: ReadonlySet<z.ZodType>,
): { bySchema: ReadonlyMap<z.ZodType, JsonSchema>; components: { [id: string]: JsonSchema } } => {
  const all = z.toJSONSchema(z.object(Object.fromEntries([...schemas].map((schema, at) => [at, schema]))), {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => withoutSafeBounds(jsonSchema as JsonSchema),
  })
  const { properties = {}, $defs = {} } = JSON.parse(
    JSON.stringify(all).replace(PLACE, '"#/components/schemas/'),
  ) as { properties?: { [at: string]: JsonSchema }; $defs?: { [id: string]: JsonSchema } }
  const bySchema = new Map([...schemas].map((schema, at) => [schema, properties[at] ?? {}]))
  return { bySchema, components: $defs }
}
