import { type RouteDoc, type RouteEntry, type RouteGroup, routeGroup } from '../../openapi/index.js'

const PLACES = [
  { prefix: '/id/{id}', suffix: '', path: { id: 'Id of the document' } },
  {
    prefix: '/path/{path}',
    suffix: 'ByPath',
    path: { path: 'Path of the document below the root, its slashes as they are; empty for the root' },
  },
] as const

/**
 * Describes routes relative to a document (`GET /@acl`; `GET /` is the document itself): once for
 * documents by id, once for those by path. Whoever may browse a document and no more is refused.
 */
export const documentGroup =
  ({ path, errors = [], ...group }: RouteGroup) =>
  (entries: { readonly [operationId: string]: RouteEntry }): RouteDoc[] =>
    PLACES.flatMap((place) =>
      routeGroup({ ...group, path: { ...path, ...place.path }, errors: [403, ...errors] })(
        Object.fromEntries(
          Object.entries(entries).map(([operationId, [route, summary, details]]) => [
            `${operationId}${place.suffix}`,
            [route.replace(/ (?:\/$)?/, ` ${place.prefix}`) as RouteEntry[0], summary, details],
          ]),
        ),
      ),
    )
