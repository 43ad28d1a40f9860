import type { Readable } from 'node:stream'
import type { Principal } from '../../access/security/index.js'
import type { BlobValue, DigestAlgorithm } from '../../model/properties/index.js'

/** First and last byte, both included, counted from 0. */
export type ByteRange = { start: number; end: number }

/** What a store knows of its bytes; names and mime types belong to the documents that use them. */
export type StoredBlob = {
  /** Lower-case hex SHA-256 of the bytes: what the store knows them by. */
  key: string
  /** Lower-case hex; for clients. */
  digest: string
  digestAlgorithm: DigestAlgorithm
  /** Bytes. */
  length: number
}

/** What names stored bytes: blob values of documents, and what a write returns. */
export type BlobRef = Pick<BlobValue, 'key' | 'digest'>

/** Headers with which a store answers for the product. */
export type BlobHeaders = { contentType: string; contentDisposition: string }

/** A key, and the length in bytes of what is stored under it. */
export type BlobStat = Pick<StoredBlob, 'key' | 'length'>

export type BlobContent = Uint8Array | AsyncIterable<Uint8Array>

/** A user; administrators have no quota of their own. */
export type BlobOwner = Pick<Principal, 'name' | 'isAdministrator'>

export type WriteOptions = {
  signal?: AbortSignal
  /** Bytes; more fail with `tooLarge`, and nothing is stored. */
  maxLength?: number
  /** Whose the bytes are, for the quota; absent: the product's. */
  owner?: BlobOwner | undefined
  /** Called with the bytes of each part that comes. What it throws ends the write, and nothing is stored. */
  receive?: ((bytes: number) => void) | undefined
  /** Of the store that is written to through another one. */
  accounting?: {
    /** Called for each part that comes. When it fails, nothing is stored. */
    receive(bytes: number): void
    /** Called when all bytes have come and before anybody can read them. When it fails, nothing is stored. */
    confirm(stored: StoredBlob): Promise<void>
  }
}

/**
 * A stream of a file whose reader may bring a buffer, in place of the new ones that the stream makes; either is used,
 * not both.
 */
export type FileStream = Readable & {
  /** @returns how many bytes were read; 0 at the end. */
  readInto(buffer: Uint8Array): Promise<number>
}

/**
 * Content-addressed storage of immutable bytes (blobs-conversions.md §6). Two writes of the same bytes return
 * the same key and are stored once; what is stored is never replaced by other bytes. A malformed key names no blob: it
 * is never an address outside the store. Blobs that release 0.1.0 stored under their MD5 are read by it.
 * Every store runs the contract suite in `storage/contract/blobs.ts`.
 */
export type BlobStore = {
  /** Throws when nothing can be written: for health checks. */
  check(): Promise<void>
  write(content: BlobContent, options?: WriteOptions): Promise<StoredBlob>
  /** Reads the whole blob or one range of it. Fails with `notFound`. */
  open(blob: BlobRef, range?: ByteRange): Promise<Readable | FileStream>
  /**
   * An address by which a client reads the bytes from the store itself, with headers of its choice; undefined where the
   * store gives out none.
   */
  addressOf?(blob: BlobRef, headers: BlobHeaders): Promise<string | undefined>
  /** Null when there is no such blob. */
  stat(blob: BlobRef): Promise<BlobStat | null>
  has(blob: BlobRef): Promise<boolean>
  /**
   * Lends a readable local file holding the bytes, for tools that take a path. The file is valid until `use`
   * settles and must not be written to. Fails with `notFound`.
   */
  withFile<T>(blob: BlobRef, use: (path: string) => Promise<T>): Promise<T>
  /** For the collection of unreferenced blobs alone. True when there was something to delete. */
  delete(key: string): Promise<boolean>
  /** All that is stored, in no order. */
  list(): AsyncIterable<BlobStat>
  /** Removes what writes have left behind that were not finished, and not continued for so long. @returns how many. */
  removeUnfinished(idleMs: number): Promise<number>
}
