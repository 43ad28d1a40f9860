import { z } from 'zod'
import type { ExtensionPoint } from '../extension-point.js'

export type JsonSchema = { [key: string]: unknown }

/** The JSON Schema of what a caller may write for a zod schema (before its transformations). */
export const toJsonSchema = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema

/** What every contribution may say besides its content; see `mergeContributions`. */
export const controls = z.object({
  remove: z.boolean().optional().describe('Removes what earlier files contribute under this name'),
  replace: z
    .boolean()
    .optional()
    .describe('Replaces what earlier files contribute instead of merging with it'),
  enabled: z.boolean().optional().describe('false: as if it were not there, until a later file enables it'),
})

/** The JSON Schema of one contribution to an extension point, so that an editor completes and checks it. */
export const jsonSchemaOf = (point: ExtensionPoint): JsonSchema => {
  const content = toJsonSchema(point.schema)
  if (content.type !== 'object') return content
  const controlProperties = toJsonSchema(controls).properties as JsonSchema
  return { ...content, properties: { ...controlProperties, ...(content.properties as JsonSchema) } }
}

/** The JSON Schema of a whole configuration file, of those of one contribution to each extension point. */
export const jsonSchemaOfFile = (points: readonly { point: string; schema: object }[]): JsonSchema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Archivolt configuration',
  type: 'object',
  additionalProperties: false,
  $defs: Object.fromEntries(points.map(({ point, schema }) => [point, embed({ ...schema }, point)])),
  properties: Object.fromEntries(
    points.map(({ point }) => [
      point,
      { type: 'object', additionalProperties: { if: { type: 'null' }, else: { $ref: idOf(point) } } },
    ]),
  ),
})

const idOf = (point: string): string => `urn:archivolt:extension-point:${point}`

/** An `$id` makes the embedded schema the root of its own `#/$defs/…` references. */
const embed = ({ $schema: _, ...schema }: JsonSchema, point: string): JsonSchema => ({
  $id: idOf(point),
  ...schema,
})

/** The keys that a JSON Schema knows at a path, over all alternatives; for "did you mean". */
export const keysAt = (root: JsonSchema, path: readonly PropertyKey[]): string[] => {
  let level = alternatives(root, root)
  for (const step of path) level = level.flatMap((schema) => below(root, schema, step))
  return level.flatMap((schema) => (isSchema(schema.properties) ? Object.keys(schema.properties) : []))
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null

const below = (root: JsonSchema, schema: JsonSchema, step: PropertyKey): JsonSchema[] => {
  const properties = isSchema(schema.properties) ? schema.properties : {}
  const next =
    typeof step === 'number'
      ? schema.items
      : Object.hasOwn(properties, step)
        ? properties[String(step)]
        : schema.additionalProperties
  return alternatives(root, next)
}

const alternatives = (root: JsonSchema, schema: unknown): JsonSchema[] => {
  if (!isSchema(schema)) return []
  if (typeof schema.$ref === 'string') return alternatives(root, resolveRef(root, schema.$ref))
  const branches = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) =>
    Array.isArray(list) ? list : [],
  )
  return [schema, ...branches.flatMap((branch) => alternatives(root, branch))]
}

const resolveRef = (root: JsonSchema, ref: string): unknown =>
  ref
    .split('/')
    .slice(1)
    .reduce<unknown>((schema, key) => (isSchema(schema) ? schema[key] : undefined), root)
