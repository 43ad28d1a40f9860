import type { ContentModel } from '../../core/model/content-model/index.js'
import { API } from '../edge/index.js'
import type { Description } from './describe.js'
import type { JsonSchema } from './json-schemas.js'
import { typeSchemas } from './property-schemas.js'
import { describeTag } from './tags.js'

const INFO = {
  title: 'Archivolt',
  version: '1',
  license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
  description: [
    'Documents, queries, directories, users and groups, and automation.',
    'Every GET answers HEAD too, and every address OPTIONS. The same tree is served under `/site/api/v1` and',
    '`/site/api`. A request without `/repo/{repository}` is for the repository of the header `X-NXRepository` or the',
    'parameter `nxrepository`, else for the default one. Names in a path may hold slashes, which are sent as they are.',
  ].join(' '),
}

const serversOf = (base: string, repositories: readonly string[]): JsonSchema[] => [
  { url: `${base}${API}`, description: 'The repository that the request names, or the default one' },
  {
    url: `${base}${API}/repo/{repository}`,
    description: 'A repository by name',
    variables: { repository: { default: repositories[0], enum: repositories } },
  },
]

/** Further paths below `/api/v1`, which change while the process runs. */
export type FurtherPaths = {
  paths: { [path: string]: { [method: string]: JsonSchema } }
  tags: readonly string[]
  schemas: { [name: string]: JsonSchema }
  responses: { [name: string]: JsonSchema }
}

const merged = (paths: Description['paths'], further: FurtherPaths['paths']): Description['paths'] => ({
  ...paths,
  ...Object.fromEntries(Object.entries(further).map(([path, item]) => [path, { ...item, ...paths[path] }])),
})

const NOTHING: FurtherPaths = { paths: {}, tags: [], schemas: {}, responses: {} }

/**
 * The OpenAPI document of the routes, with the properties of each type of a content model.
 *
 * @param base address of the server as the caller reached it, with the context path
 * @param further paths; those of the routes take precedence, method by method
 */
export const openapiDocument = (
  { paths, atRoot, tags, schemas, responses }: Description,
  {
    model,
    base,
    repositories,
    further = NOTHING,
  }: {
    model: ContentModel
    base: string
    repositories: readonly string[]
    further?: FurtherPaths
  },
): JsonSchema => {
  const { components, mapping } = typeSchemas(model)
  const { document, ...others } = schemas
  return {
    openapi: '3.1.0',
    info: INFO,
    servers: serversOf(base, repositories),
    security: [{ basic: [] }],
    tags: [...tags, ...further.tags].map(describeTag),
    paths: Object.fromEntries(
      Object.entries(merged(paths, further.paths)).map(([path, item]) => [
        path,
        atRoot.has(path) ? { servers: [{ url: base }], ...item } : item,
      ]),
    ),
    components: {
      securitySchemes: { basic: { type: 'http', scheme: 'basic' } },
      responses: { ...responses, ...further.responses },
      schemas: {
        ...others,
        ...further.schemas,
        document: { ...document, discriminator: { propertyName: 'type', mapping } },
        ...components,
      },
    },
  }
}
