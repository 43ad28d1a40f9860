import { z } from 'zod'
import type { ErrorStatus } from './error-statuses.js'

export type DocumentedMethod = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** What a body may be, by media type. */
export type Content = { readonly [mediaType: string]: z.ZodType }

export type ResponseDoc = {
  description: string
  /** Absent: there is no body. */
  content?: Content
  /** Headers that the answer has, with what they are for. */
  headers?: { readonly [name: string]: string }
}

/** One verb at one address, as the OpenAPI document describes it. */
export type RouteDoc = {
  method: DocumentedMethod
  /** OpenAPI template below `/api/v1`; one that begins with `//` stands below the server's root instead. */
  path: string
  /** Unique among all routes; what generated clients call it. */
  operationId: string
  summary: string
  tag: string
  description?: string | undefined
  parameters: { path?: z.ZodObject; query?: z.ZodObject | undefined; header?: z.ZodObject | undefined }
  body?: Content | undefined
  /** By status; those of errors are added, and need not be listed. */
  responses: { readonly [status: number]: ResponseDoc }
  /** Statuses of errors that it answers besides those that are added to every route of its kind. */
  errors: readonly ErrorStatus[]
  /** Served without authentication. */
  isPublic?: boolean | undefined
}

/** Names a schema among the components of the document. An answer that is it needs the description. */
export const component = <Schema extends z.ZodType>(
  id: string,
  schema: Schema,
  description?: string,
): Schema => schema.meta({ id, ...(description !== undefined && { description }) })

export const JSON_TYPE = 'application/json'

/** An answer that is JSON. */
export const json = (description: string, schema: z.ZodType): ResponseDoc => ({
  description,
  content: { [JSON_TYPE]: schema },
})

/** An answer that is a text. */
export const text = (
  type: 'text/plain' | 'text/html' | 'application/yaml',
  description: string,
): ResponseDoc => ({
  description,
  content: { [type]: z.string() },
})

/** Bytes, in a body or a part of one. */
export const file = z.string().meta({ format: 'binary' })

/** An answer that is a file. */
export const binary = (description: string): ResponseDoc => ({
  description,
  content: { '*/*': file },
  headers: { ETag: 'Digest of the file', 'Content-Disposition': 'Its name' },
})
