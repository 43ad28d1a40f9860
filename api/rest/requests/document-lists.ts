import { z } from 'zod'
import type { RouteEntry } from '../../openapi/index.js'
import { pagingQuery, searchQuery, sortQuery } from './requests.schema.js'

const query = z.object({ ...pagingQuery.shape, ...sortQuery.shape })

/** Adapters that list documents for others, with their own parameters. */
export const documentLists = {
  Children: { place: '/@children', query },
  Search: { place: '/@search', query: z.object({ ...searchQuery.shape, ...query.shape }) },
  Provider: { place: '/@pp/{provider}', query },
}

/** Describes a route after each of them. @param describe is called with the name, path and query of one. */
export const forEachList = (
  describe: (
    title: string,
    list: (typeof documentLists)[keyof typeof documentLists],
  ) => [operationId: string, RouteEntry],
): { [operationId: string]: RouteEntry } =>
  Object.fromEntries(Object.entries(documentLists).map(([title, list]) => describe(title, list)))
