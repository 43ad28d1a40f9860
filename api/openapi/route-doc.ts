import { z } from 'zod'
import type { ErrorStatus } from './error-statuses.js'

export type DocumentedMethod = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** What a body may be, by media type. */
export type Content = { readonly [mediaType: string]: z.ZodType }

export type ResponseDoc = {
  description: string
  /** Absent: there is no body. */
  content?: Content
  /** Response headers with their descriptions. */
  headers?: { readonly [name: string]: string }
}

/** One verb at one address, as the OpenAPI document describes it. */
export type RouteDoc = {
  method: DocumentedMethod
  /** OpenAPI template below `/api/v1`; one that begins with `//` stands below the server's root instead. */
  path: string
  /** Unique among all routes; generated clients use it as the method name. */
  operationId: string
  summary: string
  tag: string
  description?: string | undefined
  parameters: { path?: z.ZodObject; query?: z.ZodObject | undefined; header?: z.ZodObject | undefined }
  body?: Content | undefined
  /** Responses by status; those of errors are added. */
  responses: { readonly [status: number]: ResponseDoc }
  /** Error statuses besides those that are added to every route of its kind. */
  errors: readonly ErrorStatus[]
  /** Served without authentication. */
  isPublic?: boolean | undefined
}

/** Names a schema among the components of the document. A schema that is a response needs the description. */
export const component = <Schema extends z.ZodType>(
  id: string,
  schema: Schema,
  description?: string,
): Schema => schema.meta({ id, ...(description !== undefined && { description }) })

export const JSON_TYPE = 'application/json'

/** A JSON response. */
export const json = (description: string, schema: z.ZodType): ResponseDoc => ({
  description,
  content: { [JSON_TYPE]: schema },
})

/** A text response. */
export const text = (
  type: 'text/plain' | 'text/html' | 'application/yaml',
  description: string,
): ResponseDoc => ({
  description,
  content: { [type]: z.string() },
})

/** Bytes, in a body or a part of one. */
export const file = z.string().meta({ format: 'binary' })

/** A file response. */
export const binary = (description: string): ResponseDoc => ({
  description,
  content: { '*/*': file },
  headers: { ETag: 'Digest of the file', 'Content-Disposition': 'Its name' },
})

/** Answers to the GET of a file, which may be asked for by range: to be spread into the details of a route. */
export const downloadable = (description: string, ...errors: readonly ErrorStatus[]) => ({
  200: binary(description),
  206: binary('The requested range'),
  304: 'It matches If-None-Match',
  errors: [...errors, 416 as const],
})
