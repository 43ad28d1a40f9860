import { z } from 'zod'
import { type JsonSchema, jsonSchemasOf } from './json-schemas.js'
import {
  type Content,
  component,
  ERROR_STATUSES,
  JSON_TYPE,
  type ResponseDoc,
  type RouteDoc,
} from './route-doc.js'

/** An error (rest-documents.md §11). */
const exception = component(
  'exception',
  z.object({
    'entity-type': z.literal('exception'),
    code: z.string().describe('What went wrong, for programs'),
    status: z.int(),
    message: z.string().describe('Names the field that is wrong'),
    details: z
      .array(
        z.object({
          message: z.string(),
          line: z.int().optional(),
          column: z.int().optional(),
          field: z.string().optional(),
          severity: z.literal('warning').optional().describe('It would refuse nothing by itself'),
          contribution: z.string().optional().describe('Of several: point and name'),
          source: z.int().optional().describe('Of several: the position of its text in the request'),
        }),
      )
      .optional(),
    stacktrace: z.string().optional().describe('In the extended mode alone'),
    exception: z.looseObject({}).optional().describe('In the extended mode alone'),
  }),
)

const constraint = z.object({
  'entity-type': z.literal('validation_constraint'),
  name: z.string(),
  parameters: z.record(z.string(), z.string()),
})

/** Values that break the content model. */
const validationReport = component(
  'validation_report',
  z.object({
    'entity-type': z.literal('validation_report'),
    has_error: z.boolean(),
    number: z.int().min(0),
    violations: z.array(
      z.object({
        messageKey: z.string(),
        message: z.string(),
        invalid_value: z.unknown(),
        constraint,
        path: z.array(
          z.object({ field_name: z.string(), is_list_item: z.boolean(), index: z.int().optional() }),
        ),
      }),
    ),
  }),
)

const ERRORS: { [status: string]: { description: string; schema: z.ZodType } } = {
  badRequest: {
    description: 'A parameter or the body is wrong; the message names the field',
    schema: exception,
  },
  unauthenticated: { description: 'Nobody is authenticated', schema: exception },
  notFound: { description: 'It is not there, or the caller may not see it', schema: exception },
  invalid: { description: 'Values break the content model', schema: validationReport },
  error: { description: 'Any other error', schema: exception },
  ...Object.fromEntries(
    Object.entries(ERROR_STATUSES).map(([status, description]) => [
      `error${status}`,
      { description, schema: exception },
    ]),
  ),
}

const errorsOf = ({
  parameters,
  body,
  isPublic,
  path,
  method,
  errors = [],
}: RouteDoc): [string, JsonSchema][] => {
  const refTo = (name: string): JsonSchema => ({ $ref: `#/components/responses/${name}` })
  const takesInput = body !== undefined || parameters?.query !== undefined
  return [
    ...(takesInput ? [['400', refTo('badRequest')] as [string, JsonSchema]] : []),
    ...(isPublic ? [] : [['401', refTo('unauthenticated')] as [string, JsonSchema]]),
    ...(path.includes('{') ? [['404', refTo('notFound')] as [string, JsonSchema]] : []),
    ...(body && method !== 'DELETE' ? [['422', refTo('invalid')] as [string, JsonSchema]] : []),
    ...errors.map((status): [string, JsonSchema] => [String(status), refTo(`error${status}`)]),
    ['default', refTo('error')],
  ]
}

const PLACES = ['path', 'query', 'header'] as const

/** Every schema that is described, by where it stands, so that each is made JSON Schema once. */
const schemasIn = (docs: readonly RouteDoc[], components: readonly z.ZodType[]): Map<string, z.ZodType> => {
  const schemas = new Map<string, z.ZodType>(
    components.map((schema, position) => [`component ${position}`, schema]),
  )
  for (const [name, { schema }] of Object.entries(ERRORS)) schemas.set(`error ${name}`, schema)
  for (const doc of docs) {
    const { operationId, parameters = {}, body = {}, responses } = doc
    for (const place of PLACES)
      for (const [name, schema] of Object.entries(parameters[place]?.shape ?? {}))
        schemas.set(`${operationId} ${place} ${name}`, schema as z.ZodType)
    for (const [type, schema] of Object.entries(body)) schemas.set(`${operationId} body ${type}`, schema)
    for (const [status, { content = {} }] of Object.entries(responses))
      for (const [type, schema] of Object.entries(content))
        schemas.set(`${operationId} ${status} ${type}`, schema)
  }
  return schemas
}

type Convert = (key: string) => JsonSchema

const contentOf = (content: Content, place: string, convert: Convert): JsonSchema =>
  Object.fromEntries(Object.keys(content).map((type) => [type, { schema: convert(`${place} ${type}`) }]))

const responseOf = (
  { description, content, headers }: ResponseDoc,
  place: string,
  convert: Convert,
): JsonSchema => ({
  description,
  ...(headers && {
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, purpose]) => [
        name,
        { description: purpose, schema: { type: 'string' } },
      ]),
    ),
  }),
  ...(content && { content: contentOf(content, place, convert) }),
})

const parametersOf = ({ operationId, parameters = {} }: RouteDoc, convert: Convert): JsonSchema[] =>
  PLACES.flatMap((place) =>
    Object.entries(parameters[place]?.shape ?? {}).map(([name, schema]) => {
      const { description, ...rest } = convert(`${operationId} ${place} ${name}`)
      const isRequired = place === 'path' || !(schema as z.ZodType).safeParse(undefined).success
      return {
        name,
        in: place,
        required: isRequired,
        ...(description !== undefined && { description }),
        schema: rest,
      }
    }),
  )

const operationOf = (doc: RouteDoc, convert: Convert): JsonSchema => {
  const { operationId, summary, description, tag, body, responses, isPublic } = doc
  const own = Object.entries(responses).map(
    ([status, response]) =>
      [status, responseOf(response, `${operationId} ${status}`, convert)] as [string, JsonSchema],
  )
  return {
    operationId,
    summary,
    ...(description !== undefined && { description }),
    tags: [tag],
    ...(isPublic && { security: [] }),
    parameters: parametersOf(doc, convert),
    ...(body && {
      requestBody: { required: true, content: contentOf(body, `${operationId} body`, convert) },
    }),
    responses: { ...Object.fromEntries(errorsOf(doc)), ...Object.fromEntries(own) },
  }
}

/** Path of a route in the document. */
export const pathOf = ({ path }: Pick<RouteDoc, 'path'>): string =>
  path.startsWith('//') ? path.slice(1) : path

export type Description = {
  paths: { [path: string]: { [method: string]: JsonSchema } }
  /** Paths that stand below the server's root, not below `/api/v1`. */
  atRoot: ReadonlySet<string>
  tags: readonly string[]
  schemas: { [name: string]: JsonSchema }
  responses: { [name: string]: JsonSchema }
}

/**
 * What the routes' descriptions come to, but for the content model: the same as long as a process runs.
 *
 * @param standalone schemas to name among the components although no route speaks of them.
 */
export const describeRoutes = (docs: readonly RouteDoc[], standalone: readonly z.ZodType[]): Description => {
  const { byKey, components } = jsonSchemasOf(schemasIn(docs, standalone))
  const convert: Convert = (key) => byKey.get(key) ?? {}
  const paths: Description['paths'] = {}
  for (const doc of docs) {
    const path = pathOf(doc)
    paths[path] ??= {}
    paths[path][doc.method.toLowerCase()] = operationOf(doc, convert)
  }
  return {
    paths,
    atRoot: new Set(docs.filter(({ path }) => path.startsWith('//')).map(pathOf)),
    tags: [...new Set(docs.map(({ tag }) => tag))],
    schemas: components,
    responses: Object.fromEntries(
      Object.entries(ERRORS).map(([name, { description }]) => [
        name,
        { description, content: { [JSON_TYPE]: { schema: convert(`error ${name}`) } } },
      ]),
    ),
  }
}
