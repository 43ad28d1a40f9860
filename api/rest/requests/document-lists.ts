import { z } from 'zod'
import type { RouteEntry } from '../../openapi/index.js'
import { pagingQuery, searchQuery, sortQuery } from './requests.schema.js'

const query = z.object({ ...pagingQuery.shape, ...sortQuery.shape })

/** Adapters that give a page of documents to those that take lists, and what they take themselves. */
export const documentLists = {
  Children: { place: '/@children', query },
  Search: { place: '/@search', query: z.object({ ...searchQuery.shape, ...query.shape }) },
  Provider: { place: '/@pp/{provider}', query },
}

/** Describes a route behind each of them. @param describe is given the name, the place and the query of one. */
export const forEachList = (
  describe: (
    title: string,
    list: (typeof documentLists)[keyof typeof documentLists],
  ) => [operationId: string, RouteEntry],
): { [operationId: string]: RouteEntry } =>
  Object.fromEntries(Object.entries(documentLists).map(([title, list]) => describe(title, list)))
