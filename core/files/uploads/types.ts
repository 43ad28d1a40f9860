import type { BlobValue } from '../../model/properties/index.js'
import type { BlobContent, BlobOwner } from '../blobs/index.js'

/** A place for a file: a batch of somebody, and the file's index in it. */
export type FilePlace = { owner: BlobOwner; batch: string; index: string }

/** What a client says of a file. */
export type FileDescription = { name: string | null; mimeType: string | null }

/** A file of a batch, complete or not. */
export type UploadedFile = {
  index: string
  name: string | null
  /** Bytes: those that are there, or for chunks those that the client announced. */
  size: number
  chunks?: { count: number; uploaded: readonly number[] }
  isComplete: boolean
}

export type NewFile = FileDescription & { content: BlobContent; signal?: AbortSignal }

export type NewChunk = NewFile & {
  /** Bytes of the whole file, as the client announces it. */
  size: number
  chunk: number
  count: number
}

/** @property arrived bytes, those of requests that this process is receiving included. */
export type FileProgress = Pick<UploadedFile, 'index' | 'name' | 'size' | 'isComplete'> & { arrived: number }

export type UploadBatch = { id: string; handler: string; files: readonly UploadedFile[] }

export type BatchPlace = Omit<FilePlace, 'index'>

/** Batches of uploads, each of one user: another user's is not there. */
export type Uploads = {
  handlers(): readonly string[]
  /** @param batch.id as a client of the older protocol chooses it; one that is there stays. */
  create(owner: BlobOwner, batch?: { handler?: string; id?: string }): Promise<string>
  exists(place: BatchPlace): Promise<boolean>
  /** Undefined when there is no such batch. */
  batch(place: BatchPlace): Promise<UploadBatch | undefined>
  file(place: FilePlace): Promise<UploadedFile | undefined>
  /** How much of each file has arrived; undefined when there is no such batch. */
  progress(place: BatchPlace): Promise<readonly FileProgress[] | undefined>
  /**
   * Stores a whole file, in place of one of that index. @returns undefined when there is no such batch.
   *
   * @throws tooLarge, insufficientStorage, what the content fails with.
   */
  addFile(place: FilePlace, file: NewFile): Promise<UploadedFile | undefined>
  /**
   * Keeps a chunk, and stores the file when it was the last one. What the first chunk says of the file holds. One that
   * is there already stays.
   *
   * @throws badRequest for a chunk beyond the last, conflict for one of another length than the one that is there, and
   *   for a file that came without chunks; tooLarge, insufficientStorage, what the content fails with.
   */
  addChunk(place: FilePlace, chunk: NewChunk): Promise<UploadedFile | undefined>
  /** @returns false when there is no such file. */
  removeFile(place: FilePlace): Promise<boolean>
  /** @param options.releases keeps it for a while, so that a repeated request finds it. @returns false when there is none. */
  remove(place: BatchPlace, options?: { releases?: boolean }): Promise<boolean>
  /** A complete file; undefined for any other. */
  blob(place: FilePlace): Promise<BlobValue | undefined>
  /** All complete files in the order of their indexes, once what is arriving has arrived; undefined without a batch. */
  blobs(place: BatchPlace): Promise<BlobValue[] | undefined>
}
