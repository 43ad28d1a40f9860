import { z } from 'zod'

export type JsonSchema = { [key: string]: unknown }

/** What numbers in JavaScript can hold says nothing of an API. */
const withoutSafeBounds = (schema: JsonSchema): void => {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
}

const PLACE = /"#\/\$defs\//g

/**
 * The JSON Schemas of what callers write, or read, for zod schemas by key. Schemas that were named by `component`
 * are referred to, and given apart.
 */
export const jsonSchemasOf = (
  schemas: ReadonlyMap<string, z.ZodType>,
): { byKey: ReadonlyMap<string, JsonSchema>; components: { [id: string]: JsonSchema } } => {
  const all = z.toJSONSchema(z.object(Object.fromEntries(schemas)), {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => withoutSafeBounds(jsonSchema as JsonSchema),
  })
  const { properties = {}, $defs = {} } = JSON.parse(
    JSON.stringify(all).replace(PLACE, '"#/components/schemas/'),
  ) as { properties?: { [key: string]: JsonSchema }; $defs?: { [id: string]: JsonSchema } }
  return { byKey: new Map(Object.entries(properties)), components: $defs }
}
