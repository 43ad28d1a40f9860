import { z } from 'zod'
import { idempotencyHeader } from '../idempotency/index.js'
import { JSON_TYPE, json, nothing, type RouteDoc } from '../openapi/index.js'
import { documentEntity } from './entities/entities.schema.js'
import { onDocuments } from './on-documents.js'
import { renderingQuery } from './rendering.schema.js'
import { documentChange, newDocument, writeHeaders } from './requests/requests.schema.js'

const tag = 'documents'

const header = writeHeaders.extend(idempotencyHeader.shape)

const withFiles = (document: z.ZodType) =>
  z
    .object({ document })
    .catchall(z.string().meta({ format: 'binary' }))
    .describe('First the JSON of the document, then files: {"upload-part": "<part name>"} takes one')

/** Documents themselves (rest-documents.md §3). */
export const documentRouteDocs: readonly RouteDoc[] = onDocuments([
  {
    method: 'GET',
    path: '',
    operationId: 'getDocument',
    summary: 'Reads a document',
    tag,
    parameters: { query: renderingQuery },
    responses: { 200: json('The document', documentEntity) },
  },
  {
    method: 'POST',
    path: '',
    operationId: 'createDocument',
    summary: 'Makes a child of a document',
    tag,
    parameters: { query: renderingQuery, header },
    body: { [JSON_TYPE]: newDocument, 'multipart/form-data': withFiles(newDocument) },
    responses: { 201: json('The new document', documentEntity) },
  },
  {
    method: 'PUT',
    path: '',
    operationId: 'updateDocument',
    summary: 'Changes the properties that are sent',
    tag,
    parameters: { query: renderingQuery, header },
    body: { [JSON_TYPE]: documentChange, 'multipart/form-data': withFiles(documentChange) },
    responses: { 200: json('The document, or the version that was made', documentEntity) },
  },
  {
    method: 'DELETE',
    path: '',
    operationId: 'deleteDocument',
    summary: 'Removes a document and all below it, for good',
    tag,
    responses: { 204: nothing('It is removed') },
  },
])
