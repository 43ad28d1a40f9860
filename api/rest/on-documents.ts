import { z } from 'zod'
import { inPath, type RouteDoc } from '../openapi/index.js'

const PLACES = [
  { prefix: '/id/{id}', suffix: '', path: { id: 'Id of the document' } },
  {
    prefix: '/path/{path}',
    suffix: 'ByPath',
    path: { path: 'Path of the document below the root, its slashes as they are; empty for the root' },
  },
] as const

/** What hangs on documents, whose `path` begins there: once for documents by id, once for those by path. */
export const onDocuments = (docs: readonly RouteDoc[]): RouteDoc[] =>
  PLACES.flatMap(({ prefix, suffix, path }) =>
    docs.map((doc) => ({
      ...doc,
      path: `${prefix}${doc.path}`,
      operationId: `${doc.operationId}${suffix}`,
      parameters: {
        ...doc.parameters,
        path: z.object({ ...inPath(path).shape, ...doc.parameters?.path?.shape }),
      },
    })),
  )
