import { z } from 'zod'
import { callDetails } from '../automation/index.js'
import { file, JSON_TYPE, json, routeGroup } from '../openapi/index.js'
import {
  batchCreated,
  batchInfo,
  completed,
  completion,
  fileInfo,
  handler,
  handlers,
  noDropHeader,
  olderCall,
  progressFile,
  uploaded,
  uploadHeaders,
} from './upload.schema.js'

const describeUploads = routeGroup({
  tag: 'uploads',
  path: {
    batch: 'Id of the batch',
    file: 'Index of the file in it, from 0',
    handler: 'Name of an upload handler',
    operation: 'Id of an operation or chain',
  },
})

const bytes = { body: { '*/*': file }, takesAnyType: true, errors: [409], isOwn: true } as const
const OWN = { isOwn: true } as const

/** Clients expect no body where there is nothing. */
const OF_BATCH = { 404: 'The caller has no such batch or file; without a body' } as const
/** As the reference platform answers, in plain text. */
const OF_FILE = { ...OF_BATCH, 400: 'The index is not a number, or a header or the body is wrong' } as const
const OF_CALL = { 404: 'The caller has no such batch or file, or there is no such operation' } as const

export const uploadDocs = describeUploads({
  createUploadBatch: [
    'POST /upload',
    'Creates a batch',
    { 201: json('It is created', batchCreated), ...OWN },
  ],
  createUploadBatchOf: [
    'POST /upload/new/{handler}',
    'Creates a batch of an upload handler',
    { 200: batchInfo.describe('The new batch'), ...OWN },
  ],
  listUploadHandlers: ['GET /upload/handlers', 'The upload handlers', { 200: json('They are', handlers) }],
  getUploadHandler: [
    'GET /upload/handlers/{handler}',
    'An upload handler',
    { ...OF_BATCH, 200: json('It is', handler) },
  ],
  listUploadedFiles: [
    'GET /upload/{batch}',
    'The files of a batch, or its progress as server-sent events',
    {
      ...OF_BATCH,
      200: {
        description: 'Its files; with Accept: text/event-stream an event for each change',
        content: { [JSON_TYPE]: z.array(fileInfo), 'text/event-stream': z.array(progressFile) },
      },
      204: 'It has no files',
      errors: [429],
    },
  ],
  dropUploadBatch: [
    'DELETE /upload/{batch}',
    'Removes a batch',
    { ...OF_BATCH, 204: 'It is removed', ...OWN },
  ],
  getUploadBatch: ['GET /upload/{batch}/info', 'A batch', { ...OF_BATCH, 200: json('It is', batchInfo) }],
  refreshUploadToken: [
    'POST /upload/{batch}/refreshToken',
    'Renews the token of a handler that gives out tokens',
    { ...OF_BATCH, 200: json('It is renewed', batchInfo), errors: [501], ...OWN },
  ],
  uploadFile: [
    'POST /upload/{batch}/{file}',
    'Uploads a file, or a chunk of one in any order',
    {
      ...OF_FILE,
      header: uploadHeaders,
      ...bytes,
      201: json('The file is complete', uploaded),
      202: json('Chunks are missing', uploaded),
    },
  ],
  getUploadedFile: [
    'GET /upload/{batch}/{file}',
    'A file of a batch',
    { ...OF_FILE, 200: json('It is complete', fileInfo), 202: json('Chunks are missing', fileInfo) },
  ],
  removeUploadedFile: [
    'DELETE /upload/{batch}/{file}',
    'Removes a file of a batch',
    { ...OF_FILE, 204: 'It is removed', ...OWN },
  ],
  completeUpload: [
    'POST /upload/{batch}/{file}/complete',
    'Compares a file with what its client has sent',
    { ...OF_FILE, body: completion, 200: json('They are the same', completed), errors: [409], isOwn: true },
  ],
  uploadFileOlder: [
    'POST /automation/batch/upload',
    'Uploads a file under an id of the client, as release 7.4 and before',
    {
      header: uploadHeaders.pick({ 'X-File-Name': true, 'X-File-Type': true, 'X-File-Size': true }).extend({
        'X-Batch-Id': z.string().describe('Id of the batch, created on demand'),
        'X-File-Idx': z.string().optional().describe('Index of the file; 0 when absent'),
      }),
      ...bytes,
      200: json('It is uploaded', z.object({ batchId: z.string(), uploaded: z.literal('true') })),
    },
  ],
  listUploadedFilesOlder: [
    'GET /automation/batch/files/{batch}',
    'The files of a batch',
    { 200: json('None for an unknown batch', z.array(fileInfo.pick({ name: true, size: true }))) },
  ],
  dropUploadBatchOlder: [
    'GET /automation/batch/drop/{batch}',
    'Removes a batch',
    { 200: json('It is removed', z.object({ batchId: z.string(), dropped: z.literal('true') })) },
  ],
})

/** With an engine alone. */
export const executeDocs = describeUploads({
  executeOnBatch: [
    'POST /upload/{batch}/execute/{operation}',
    'Calls an operation or chain with the files of a batch as its input',
    { ...OF_CALL, ...callDetails, header: callDetails.header.extend(noDropHeader.shape) },
  ],
  executeOnUploadedFile: [
    'POST /upload/{batch}/{file}/execute/{operation}',
    'Calls an operation or chain with a file of a batch as its input',
    { ...OF_CALL, ...callDetails, header: callDetails.header.extend(noDropHeader.shape) },
  ],
  executeOnBatchOlder: [
    'POST /automation/batch/execute',
    'The same, as release 7.4 and before: operationId, batchId and fileIdx are parameters',
    { ...OF_CALL, ...callDetails, body: olderCall, header: callDetails.header.extend(noDropHeader.shape) },
  ],
})
