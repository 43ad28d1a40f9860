import { z } from 'zod'
import { component } from '../openapi/index.js'

/** The headers of an upload (blobs-conversions.md §1); the body is the bytes of the file or chunk. */
export const uploadHeaders = z.object({
  'X-File-Name': z.string().optional().describe('Name of the file, percent-encoded UTF-8'),
  'X-File-Type': z.string().optional().describe('Mime type of the file'),
  'X-File-Size': z.string().optional().describe('Bytes of the whole file; required for chunks'),
  'X-Upload-Type': z.string().optional().describe('normal, which is the default, or chunked'),
  'X-Upload-Chunk-Index': z.string().optional().describe('Number of the chunk, from 0'),
  'X-Upload-Chunk-Count': z.string().optional().describe('Number of chunks of the file'),
})

export const noDropHeader = z.object({
  'X-Batch-No-Drop': z.string().optional().describe('true: the batch stays after the request'),
})

export const batchCreated = component('uploadBatchCreated', z.object({ batchId: z.string() }))

export const uploaded = component(
  'upload',
  z.object({
    uploaded: z.literal('true'),
    batchId: z.string(),
    fileIdx: z.string(),
    uploadType: z.enum(['normal', 'chunked']),
    uploadedSize: z.string().describe('Bytes of this request; -1 when it did not say'),
    uploadedChunkIds: z.array(z.int()).optional(),
    chunkCount: z.int().optional(),
  }),
)

export const fileInfo = component(
  'uploadedFile',
  z.object({
    name: z.string().nullable(),
    size: z.int().describe('Bytes; for chunks those that were announced'),
    uploadType: z.enum(['normal', 'chunked']),
    uploadedChunkIds: z.array(z.int()).optional(),
    chunkCount: z.int().optional(),
  }),
)

export const batchInfo = component(
  'uploadBatch',
  z.object({ provider: z.string(), fileEntries: z.array(fileInfo), batchId: z.string() }),
)

export const handler = component('uploadHandler', z.object({ name: z.string() }))

export const handlers = component('uploadHandlers', z.object({ handlers: z.array(handler) }))

/** What a client says of a file that it has uploaded. */
export const completion = component(
  'uploadCompletion',
  z.object({
    key: z.string().optional(),
    name: z.string().nullish(),
    mimeType: z.string().nullish(),
    fileSize: z.union([z.number(), z.string().regex(/^\d+$/)]).describe('Bytes of the whole file'),
    md5: z.string().describe('Its MD5 in hexadecimal digits'),
  }),
)

export const completed = component(
  'uploadCompleted',
  z.object({ uploaded: z.literal('true'), batchId: z.string(), fileIdx: z.string() }),
)

const asText = z.union([z.string(), z.number()]).transform(String)

/** A call on a batch as release 7.4 and before send it: its parameters say what the address says today. */
export const olderCall = component(
  'uploadCall',
  z.looseObject({
    params: z.looseObject(
      { operationId: z.string().min(1), batchId: z.string(), fileIdx: asText.nullish() },
      { error: 'an object with operationId and batchId is expected' },
    ),
  }),
)

/** One event of the progress of a batch. */
export const progressFile = z.object({
  fileIdx: z.string(),
  name: z.string().nullable(),
  size: z.int(),
  uploadedSize: z.int().describe('Bytes that have arrived'),
  isComplete: z.boolean(),
})
