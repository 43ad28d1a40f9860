import { z } from 'zod'
import { idempotencyHeader } from '../idempotency/index.js'
import { binary, inPath, JSON_TYPE, json, nothing, type RouteDoc } from '../openapi/index.js'
import { commentDocs } from './comments.docs.js'
import {
  aclsEntity,
  businessObject,
  businessObjects,
  documentEntity,
  documentsPage,
} from './entities/entities.schema.js'
import { onDocuments } from './on-documents.js'
import { renderingQuery } from './rendering.schema.js'
import { emptyQuery, pagingQuery, searchQuery, sortQuery, writeHeaders } from './requests/requests.schema.js'

const xpath = inPath({
  xpath: 'Where the file is, e.g. file:content or files:files/0/file; blobholder:0 for the main one',
})

const downloadHeaders = { ETag: 'Digest of the file', 'Content-Disposition': 'Its name' }

const download = { ...binary('The file; a part of it when a range is asked for'), headers: downloadHeaders }

const listQuery = z.object({ ...pagingQuery.shape, ...sortQuery.shape })

const provider = inPath({ provider: 'Name of the page provider' })

/** Adapters that give a page of documents to those that take lists, and what they take themselves. */
export const documentLists = [
  { name: 'children', title: 'Children', path: inPath({}), query: listQuery },
  {
    name: 'search',
    title: 'Search',
    path: inPath({}),
    query: z.object({ ...searchQuery.shape, ...listQuery.shape }),
  },
  { name: 'pp/{provider}', title: 'Provider', path: provider, query: listQuery },
] as const

const bo = inPath({ adapter: 'Name of the business object' })

/** Adapters that belong to documents alone (rest-documents.md §7). */
export const adapterDocs: readonly RouteDoc[] = onDocuments([
  {
    method: 'GET',
    path: '/@acl',
    operationId: 'getAcls',
    summary: 'The ACLs in force on a document',
    tag: 'documents',
    responses: { 200: json('The ACLs, the local ones first', aclsEntity) },
  },
  {
    method: 'GET',
    path: '/@children',
    operationId: 'getChildren',
    summary: 'Children that are neither hidden, trashed nor versions',
    tag: 'documents',
    parameters: { query: z.object({ ...listQuery.shape, ...renderingQuery.shape }) },
    responses: { 200: json('A page of documents, by title unless told otherwise', documentsPage) },
  },
  {
    method: 'GET',
    path: '/@search',
    operationId: 'searchHere',
    summary: 'A query in NXQL, or words looked for in the folder',
    tag: 'queries',
    parameters: { query: z.object({ ...documentLists[1].query.shape, ...renderingQuery.shape }) },
    responses: { 200: json('A page of documents', documentsPage) },
  },
  {
    method: 'GET',
    path: '/@emptyWithDefault',
    operationId: 'getEmptyDocument',
    summary: 'A document as it would begin, not saved',
    tag: 'documents',
    parameters: { query: z.object({ ...emptyQuery.shape, ...renderingQuery.shape }) },
    responses: { 200: json('The document, without an id', documentEntity) },
  },
  {
    method: 'GET',
    path: '/@blob/{xpath}',
    operationId: 'getBlob',
    summary: 'Downloads a file',
    tag: 'files',
    parameters: { path: xpath },
    responses: { 200: download },
  },
  {
    method: 'PUT',
    path: '/@blob/{xpath}',
    operationId: 'replaceBlob',
    summary: 'Replaces a file',
    tag: 'files',
    parameters: { path: xpath, header: writeHeaders.omit({ 'X-NXDocumentJsonLegacy': true, source: true }) },
    body: {
      'multipart/form-data': z
        .object({})
        .catchall(z.string().meta({ format: 'binary' }))
        .describe('One file'),
    },
    responses: { 200: { description: 'It is replaced', content: { 'text/plain': z.string() } } },
  },
  {
    method: 'DELETE',
    path: '/@blob/{xpath}',
    operationId: 'deleteBlob',
    summary: 'Removes a file',
    tag: 'files',
    parameters: { path: xpath },
    responses: { 204: nothing('It is removed') },
  },
  {
    method: 'GET',
    path: '/@preview',
    operationId: 'getPreview',
    summary: 'A note as a page, any other file by a redirect to a form that browsers show',
    tag: 'files',
    responses: {
      200: { description: 'A page that runs no scripts', content: { 'text/html': z.string() } },
      303: { ...nothing('Where the preview is'), headers: { Location: 'Address of the preview' } },
    },
  },
  ...commentDocs,
])

/** Adapters that need what runs operations and conversions. */
export const engineAdapterDocs: readonly RouteDoc[] = onDocuments([
  {
    method: 'GET',
    path: '/@rendition/{rendition}',
    operationId: 'getRendition',
    summary: 'Another form of a document, as a file',
    tag: 'files',
    parameters: { path: inPath({ rendition: 'Its name, as the enricher renditions tells' }) },
    responses: { 200: download },
  },
  {
    method: 'GET',
    path: '/@bo/{adapter}',
    operationId: 'getBusinessObject',
    summary: 'A document as a business object',
    tag: 'business objects',
    parameters: { path: bo },
    responses: { 200: json('The object', businessObject) },
  },
  {
    method: 'PUT',
    path: '/@bo/{adapter}',
    operationId: 'updateBusinessObject',
    summary: 'Changes a document by its business object',
    tag: 'business objects',
    parameters: { path: bo },
    body: { [JSON_TYPE]: businessObject },
    responses: { 200: json('The object', businessObject) },
  },
  {
    method: 'POST',
    path: '/@bo/{adapter}/{name}',
    operationId: 'createBusinessObject',
    summary: 'Makes a child from a business object',
    tag: 'business objects',
    parameters: {
      path: z.object({ ...bo.shape, ...inPath({ name: 'Name of the new document' }).shape }),
      header: idempotencyHeader,
    },
    body: { [JSON_TYPE]: businessObject },
    responses: { 200: json('The object', businessObject) },
  },
  ...documentLists.map(
    ({ name, title, path, query }): RouteDoc => ({
      method: 'GET',
      path: `/@${name}/@bo/{adapter}`,
      operationId: `getBusinessObjectsOf${title}`,
      summary: 'The documents of a page as business objects, those that have it',
      tag: 'business objects',
      parameters: { path: z.object({ ...path.shape, ...bo.shape }), query },
      responses: { 200: json('A page of objects', businessObjects) },
    }),
  ),
])
