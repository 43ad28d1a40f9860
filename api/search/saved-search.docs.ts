import { z } from 'zod'
import { idempotencyHeader } from '../idempotency/index.js'
import { inPath, JSON_TYPE, json, nothing, type RouteDoc } from '../openapi/index.js'
import { documentsPage, pagingQuery, renderingQuery, sortQuery } from '../rest/index.js'
import {
  savedSearchEntity,
  savedSearchesPage,
  savedSearchFilter,
  savedSearchRequest,
} from './saved-search.schema.js'
import { providerParameters, queryParameters } from './search.schema.js'

const tag = 'saved searches'
const path = inPath({ id: 'Id of the saved search' })
const one = '/search/saved/{id}'
const body = { [JSON_TYPE]: savedSearchRequest }

/** Searches that users keep (nxql-search.md §10). */
export const savedSearchDocs: readonly RouteDoc[] = [
  {
    method: 'GET',
    path: '/search/saved',
    operationId: 'listSavedSearches',
    summary: 'The saved searches that the caller may read, by title',
    tag,
    parameters: { query: z.object({ ...savedSearchFilter.shape, ...pagingQuery.shape }) },
    responses: { 200: json('A page of saved searches', savedSearchesPage) },
  },
  {
    method: 'POST',
    path: '/search/saved',
    operationId: 'createSavedSearch',
    summary: "Keeps a search in the caller's own workspace",
    tag,
    parameters: { header: idempotencyHeader },
    body,
    responses: { 200: json('The saved search', savedSearchEntity) },
  },
  {
    method: 'GET',
    path: one,
    operationId: 'getSavedSearch',
    summary: 'A saved search',
    description: 'With the header `properties` the properties of its document come along.',
    tag,
    parameters: { path },
    responses: { 200: json('The saved search', savedSearchEntity) },
  },
  {
    method: 'PUT',
    path: one,
    operationId: 'updateSavedSearch',
    summary: 'Puts other content in the place of all that is saved',
    tag,
    parameters: { path },
    body,
    responses: { 200: json('The saved search', savedSearchEntity) },
  },
  {
    method: 'DELETE',
    path: one,
    operationId: 'deleteSavedSearch',
    summary: 'Removes a saved search',
    tag,
    parameters: { path },
    responses: { 204: nothing('It is removed') },
  },
  {
    method: 'GET',
    path: `${one}/execute`,
    operationId: 'executeSavedSearch',
    summary: 'A page of what a saved search finds, with the rights of whoever calls',
    description: 'What the call says of the page, the order and the parameters goes before what is saved.',
    tag,
    parameters: {
      path,
      query: z.object({
        ...queryParameters.omit({ query: true }).shape,
        ...providerParameters.shape,
        ...pagingQuery.shape,
        ...sortQuery.shape,
        ...renderingQuery.shape,
      }),
    },
    responses: { 200: json('A page of documents', documentsPage) },
  },
]
