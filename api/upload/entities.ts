import type { UploadBatch, UploadedFile } from '../../core/files/uploads/index.js'
import type { RequestContext } from '../edge/index.js'

/** A file's index as it is known, however it is written; undefined for what is no number. */
export const fileIndex = (text: string): string | undefined =>
  /^\d{1,9}$/.test(text) ? String(Number(text)) : undefined

const JSON_UTF8 = { 'Content-Type': 'application/json; charset=UTF-8' }

export const answer = (c: RequestContext, body: object, status: 200 | 201 | 202 = 200): Response =>
  c.json(body, status, JSON_UTF8)

const chunksOf = ({ chunks }: UploadedFile) =>
  chunks && { uploadedChunkIds: chunks.uploaded, chunkCount: chunks.count }

const typeOf = ({ chunks }: UploadedFile) => (chunks ? 'chunked' : 'normal')

/** What GET says of a file. */
export const fileEntity = (file: UploadedFile) => ({
  name: file.name,
  size: file.size,
  uploadType: typeOf(file),
  ...chunksOf(file),
})

/** The answer to an upload. */
export const uploadedEntity = (file: UploadedFile, { batch, length }: { batch: string; length: string }) => ({
  uploaded: 'true',
  batchId: batch,
  fileIdx: file.index,
  uploadType: typeOf(file),
  uploadedSize: length,
  ...chunksOf(file),
})

export const batchEntity = ({ id, handler, files }: UploadBatch) => ({
  provider: handler,
  fileEntries: files.map(fileEntity),
  batchId: id,
})
