import { z } from 'zod'
import { IDEMPOTENCY_KEY, replayedHeader } from '../idempotency/index.js'
import { warningHeader } from '../warnings/index.js'
import type { ErrorStatus } from './error-statuses.js'
import {
  type Content,
  type DocumentedMethod,
  JSON_TYPE,
  json,
  type ResponseDoc,
  type RouteDoc,
} from './route-doc.js'

/** A path parameter: the description of a text, or a schema. */
type PathParameters = { readonly [name: string]: string | z.ZodType }

/** A response: a JSON schema with a description, the description of one without a body, or any other. */
type Answer = z.ZodType | string | ResponseDoc

/**
 * The description of a route: `['GET /user/{user}', 'Reads a user', { 200: userEntity }]`. It is relative to
 * `/api/v1`, or `GET //metrics` to the server's root; responses are by status, and those of errors are derived.
 */
export type RouteEntry = readonly [
  route: `${DocumentedMethod} ${string}`,
  summary: string,
  details: RouteDetails,
]

type RouteDetails = Pick<RouteDoc, 'description'> & {
  path?: PathParameters
  query?: z.ZodObject
  header?: z.ZodObject
  /** JSON, or what it may be by media type. */
  body?: z.ZodType | Content
  /** The media type of the body is ignored. */
  takesAnyType?: true
  readonly [status: number]: Answer
  errors?: readonly ErrorStatus[]
  /** Callers see only resources of their own, so that it never responds 403. */
  isOwn?: true
  /** Says in a header what of a request is ignored. */
  warns?: true
}

export type RouteGroup = Pick<RouteDoc, 'tag' | 'isPublic'> & {
  path?: PathParameters
  /** Of each of them. */
  errors?: readonly ErrorStatus[]
}

/**
 * Describes routes of one kind, by their `operationId`. Path parameters are derived, and the error statuses of
 * requests: 403 for writes, 409 where the idempotency key is supported, 413 and 415 for bodies. So are the headers of
 * warnings and of repeated requests.
 */
export const routeGroup =
  (group: RouteGroup) =>
  (entries: { readonly [operationId: string]: RouteEntry }): RouteDoc[] =>
    Object.entries(entries).map(([operationId, [route, summary, details]]) => {
      const { description, query, header, body } = details
      const [method, path] = route.split(' ') as [DocumentedMethod, string]
      return {
        ...{ method, path, operationId, summary, description },
        ...{ tag: group.tag, isPublic: group.isPublic },
        parameters: { path: inPath(path, { ...group.path, ...details.path }), query, header },
        body: body instanceof z.ZodType ? { [JSON_TYPE]: body } : body,
        responses: Object.fromEntries(
          statusesIn(details).map((status) => [status, answerOf(status, details)]),
        ),
        errors: [
          ...new Set([...(group.errors ?? []), ...(details.errors ?? []), ...refusals(method, details)]),
        ],
      }
    })

const inPath = (path: string, described: PathParameters): z.ZodObject =>
  z.object(
    Object.fromEntries(
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
        const what = described[name]
        if (what === undefined) throw new Error(`The parameter {${name}} of ${path} is not described`)
        return [name, typeof what === 'string' ? z.string().describe(what) : what]
      }),
    ),
  )

const statusesIn = (details: RouteDetails): number[] =>
  Object.keys(details).map(Number).filter(Number.isInteger)

const responseOf = (answer: Answer): ResponseDoc => {
  if (typeof answer === 'string') return { description: answer }
  return answer instanceof z.ZodType ? json(answer.description ?? '', answer) : answer
}

/** The response of a status, with the headers that every success of such a route may have. */
const answerOf = (status: number, details: RouteDetails): ResponseDoc => {
  const answer = responseOf(details[status]!)
  const { header, warns } = details
  const headers = {
    ...(header && IDEMPOTENCY_KEY in header.shape && replayedHeader),
    ...(warns && warningHeader),
    ...answer.headers,
  }
  return status >= 300 || Object.keys(headers).length === 0 ? answer : { ...answer, headers }
}

const refusals = (method: DocumentedMethod, { header, body, takesAnyType, isOwn }: RouteDetails) => {
  const statuses: ErrorStatus[] = []
  if (method !== 'GET' && !isOwn) statuses.push(403)
  if (header && IDEMPOTENCY_KEY in header.shape) statuses.push(409)
  if (body) statuses.push(413)
  if (body && !takesAnyType) statuses.push(415)
  return statuses
}
