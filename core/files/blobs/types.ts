import type { Readable } from 'node:stream'
import type { DigestAlgorithm } from '../../model/properties/index.js'

/** First and last byte, both included, counted from 0. */
export type ByteRange = { start: number; end: number }

/** What a store knows of its bytes; names and mime types belong to the documents that use them. */
export type StoredBlob = {
  /** Lower-case hex; the key. */
  digest: string
  digestAlgorithm: DigestAlgorithm
  /** Bytes. */
  length: number
}

export type BlobContent = Uint8Array | AsyncIterable<Uint8Array>

export type WriteOptions = {
  signal?: AbortSignal
  /** Bytes; more fail with `tooLarge`, and nothing is stored. */
  maxLength?: number
}

/**
 * Content-addressed storage of immutable bytes (blobs-conversions.md §6). Two writes of the same bytes return
 * the same digest and are stored once. A malformed digest names no blob: it is never an address outside the store.
 * Every store runs the contract suite in `storage/contract/blobs.ts`.
 */
export type BlobStore = {
  /** Throws when nothing can be written: for health checks. */
  check(): Promise<void>
  write(content: BlobContent, options?: WriteOptions): Promise<StoredBlob>
  /** Reads the whole blob or one range of it. Fails with `notFound`. */
  open(digest: string, range?: ByteRange): Promise<Readable>
  /** Null when there is no such blob. */
  stat(digest: string): Promise<StoredBlob | null>
  has(digest: string): Promise<boolean>
  /**
   * Lends a readable local file holding the bytes, for tools that take a path. The file is valid until `use`
   * settles and must not be written to. Fails with `notFound`.
   */
  withFile<T>(digest: string, use: (path: string) => Promise<T>): Promise<T>
  /** For the garbage collector alone. True when there was something to delete. */
  delete(digest: string): Promise<boolean>
}
