import type { z } from 'zod'
import type { ErrorStatus } from './error-statuses.js'
import { ERROR_RESPONSES, errorResponses } from './errors.js'
import { type JsonSchema, jsonSchemasOf } from './json-schemas.js'
import type { Content, ResponseDoc, RouteDoc } from './route-doc.js'

type Convert = (schema: z.ZodType) => JsonSchema

const mapValues = <Value, Result>(
  record: { readonly [key: string]: Value },
  map: (value: Value) => Result,
): { [key: string]: Result } =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))

const contentOf = (content: Content, convert: Convert): JsonSchema =>
  mapValues(content, (schema) => ({ schema: convert(schema) }))

const responseOf = ({ description, content, headers }: ResponseDoc, convert: Convert): JsonSchema => ({
  description,
  ...(headers && {
    headers: mapValues(headers, (purpose) => ({ description: purpose, schema: { type: 'string' } })),
  }),
  ...(content && { content: contentOf(content, convert) }),
})

const PLACES = ['path', 'query', 'header'] as const

const parametersOf = ({ parameters }: RouteDoc, convert: Convert): JsonSchema[] =>
  PLACES.flatMap((place) =>
    Object.entries(parameters[place]?.shape ?? {}).map(([name, declared]) => {
      const { description, ...schema } = convert(declared as z.ZodType)
      const required = place === 'path' || !(declared as z.ZodType).safeParse(undefined).success
      return { name, in: place, required, ...(description !== undefined && { description }), schema }
    }),
  )

/** Those of every route of its kind, and its own. */
const statusesOf = ({ parameters, body, isPublic, path, errors }: RouteDoc): ErrorStatus[] => [
  ...(body || parameters.query ? [400 as const] : []),
  ...(isPublic ? [] : [401 as const]),
  ...(path.includes('{') ? [404 as const] : []),
  ...(body ? [422 as const] : []),
  ...errors,
]

const operationOf = (doc: RouteDoc, convert: Convert): JsonSchema => ({
  operationId: doc.operationId,
  summary: doc.summary,
  ...(doc.description !== undefined && { description: doc.description }),
  tags: [doc.tag],
  ...(doc.isPublic && { security: [] }),
  parameters: parametersOf(doc, convert),
  ...(doc.body && { requestBody: { required: true, content: contentOf(doc.body, convert) } }),
  responses: {
    ...errorResponses(statusesOf(doc)),
    ...mapValues(doc.responses, (response) => responseOf(response, convert)),
  },
})

/** Path of a route in the document. */
const pathOf = ({ path }: Pick<RouteDoc, 'path'>): string => (path.startsWith('//') ? path.slice(1) : path)

export type Description = {
  paths: { [path: string]: { [method: string]: JsonSchema } }
  /** Paths below the server's root, not below `/api/v1`. */
  atRoot: ReadonlySet<string>
  tags: readonly string[]
  schemas: { [name: string]: JsonSchema }
  responses: { [name: string]: JsonSchema }
}

const write = (docs: readonly RouteDoc[], convert: Convert): Pick<Description, 'paths' | 'responses'> => {
  const paths: Description['paths'] = {}
  for (const doc of docs) {
    const path = pathOf(doc)
    paths[path] ??= {}
    paths[path][doc.method.toLowerCase()] = operationOf(doc, convert)
  }
  return { paths, responses: mapValues(ERROR_RESPONSES, (response) => responseOf(response, convert)) }
}

/**
 * Builds the part of the document that does not depend on the content model: constant while the process runs.
 *
 * @param standalone schemas to name among the components although no route speaks of them.
 */
export const describeRoutes = (docs: readonly RouteDoc[], standalone: readonly z.ZodType[]): Description => {
  const schemas = new Set(standalone)
  write(docs, (schema) => {
    schemas.add(schema)
    return {}
  })
  const { bySchema, components } = jsonSchemasOf(schemas)
  return {
    ...write(docs, (schema) => bySchema.get(schema) ?? {}),
    atRoot: new Set(docs.filter(({ path }) => path.startsWith('//')).map(pathOf)),
    tags: [...new Set(docs.map(({ tag }) => tag))],
    schemas: components,
  }
}
