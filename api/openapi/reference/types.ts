export type JsonSchema = { readonly [key: string]: unknown }

/** As much of our own OpenAPI document as a page shows. */
export type Described = {
  info: { title: string; description: string }
  paths: { [path: string]: { [method: string]: DescribedOperation } }
  components: {
    schemas: { [name: string]: JsonSchema }
    responses: { [name: string]: DescribedResponse }
  }
}

export type DescribedOperation = {
  summary: string
  description?: string
  tags: readonly string[]
  parameters?: readonly {
    name: string
    in: string
    required?: boolean
    description?: string
    schema: JsonSchema
  }[]
  requestBody?: { content: DescribedContent }
  responses: { [status: string]: DescribedResponse | { $ref: string } }
}

export type DescribedContent = { [mediaType: string]: { schema?: JsonSchema } }

export type DescribedResponse = {
  description: string
  content?: DescribedContent
  headers?: { [name: string]: { description: string } }
}

/** One verb at one address. */
export type Endpoint = { method: string; path: string; operation: DescribedOperation }

const METHODS = new Set(['get', 'post', 'put', 'delete'])

export const endpointsOf = ({ paths }: Described): Endpoint[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => METHODS.has(method))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )

/** What names an endpoint in the address of its page. */
export const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`
