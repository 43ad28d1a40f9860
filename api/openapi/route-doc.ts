import { z } from 'zod'

/** What errors mean beside those that every route may answer. */
export const ERROR_STATUSES = {
  403: 'The caller may not do it',
  409: 'Something else stands against it at this moment',
  413: 'The request is larger than it may be',
  415: 'The body is of no media type that is taken',
  422: 'What is asked for does not fit what is there',
  429: 'As much of it is under way as one user may have',
  500: 'What was called has failed',
  501: 'This server is not set up for it',
  503: 'What it needs cannot be reached, or is being made: ask again after Retry-After',
  504: 'It lasted longer than it may, and was rolled back',
} as const

export type ErrorStatus = keyof typeof ERROR_STATUSES

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
  description?: string
  parameters?: { path?: z.ZodObject; query?: z.ZodObject; header?: z.ZodObject }
  body?: Content
  /** By status; those of errors are added, and need not be listed. */
  responses: { readonly [status: number]: ResponseDoc }
  /** Statuses of errors that it answers besides those that are added to every route of its kind. */
  errors?: readonly ErrorStatus[]
  /** Served without authentication. */
  isPublic?: boolean
}

/** Names a schema among the components of the document. */
export const component = <Schema extends z.ZodType>(id: string, schema: Schema): Schema => schema.meta({ id })

export const JSON_TYPE = 'application/json'

/** An answer that is JSON. */
export const json = (description: string, schema: z.ZodType): ResponseDoc => ({
  description,
  content: { [JSON_TYPE]: schema },
})

/** An answer that is a file. */
export const binary = (description: string): ResponseDoc => ({
  description,
  content: { '*/*': z.string().meta({ format: 'binary' }) },
})

export const nothing = (description: string): ResponseDoc => ({ description })

/** Parameters of a path, which are texts. */
export const inPath = (descriptions: { [name: string]: string }): z.ZodObject =>
  z.object(
    Object.fromEntries(
      Object.entries(descriptions).map(([name, description]) => [name, z.string().describe(description)]),
    ),
  )
