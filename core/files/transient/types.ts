import type { Readable } from 'node:stream'
import type { PropertyValue } from '../../model/properties/index.js'
import type { BlobContent, BlobOwner, StoredBlob } from '../blobs/index.js'

/** A blob of an entry: `stored` when its bytes are in the blob store, where they can be used as they are. */
export type TransientBlob = { length: number; stored?: StoredBlob }

export type TransientWrite = {
  /** Takes the place of a blob of the same name; otherwise the one that is there stays. */
  replaces?: boolean
  signal?: AbortSignal
  /** Bytes; more fail with `tooLarge`, and nothing is kept. */
  maxLength?: number
  owner?: BlobOwner
  /** Called with the bytes of each part that comes; what it throws ends the write. Not called when nothing is read. */
  receive?: (bytes: number) => void
}

/**
 * What an entry says of itself.
 *
 * @property keptBytes what of its length is nowhere but in this store.
 */
export type TransientSummary = { key: string; length: number; keptBytes: number }

/**
 * Entries that expire: parameters and blobs by name, and whether they are complete (blobs-conversions.md §1, transient
 * store). A write creates its entry and restarts its life. Reading one that is not there, or has expired, gives
 * nothing. Every store runs the contract suite in `storage/contract/transient-files.ts`.
 */
export type TransientFileStore = {
  exists(key: string): Promise<boolean>
  /** All parameters; undefined without an entry. */
  parameters(key: string): Promise<ReadonlyMap<string, PropertyValue> | undefined>
  parameter(key: string, name: string): Promise<PropertyValue | undefined>
  /** Adds parameters or replaces those of the same names; with none it only restarts the entry's life. */
  putParameters(key: string, parameters: { readonly [name: string]: PropertyValue }): Promise<void>
  /** Adds a parameter unless there is one of that name: of several at once exactly one wins. @returns the one that is kept. */
  addParameter(key: string, name: string, value: PropertyValue): Promise<PropertyValue>
  /** Names of an entry's blobs, in no order; none without an entry. */
  blobNames(key: string): Promise<readonly string[]>
  blob(key: string, name: string): Promise<TransientBlob | undefined>
  /**
   * Keeps bytes under a name, or what the blob store has already. Of several at once exactly one wins.
   *
   * @returns the one that is kept.
   * @throws insufficientStorage above the absolute maximum of the store, tooLarge, what the content fails with.
   */
  putBlob(
    key: string,
    name: string,
    content: BlobContent | StoredBlob,
    options?: TransientWrite,
  ): Promise<TransientBlob>
  /** @throws notFound. */
  open(key: string, name: string): Promise<Readable>
  /** Removes parameters and blobs by their names. */
  removeParts(key: string, names: readonly string[]): Promise<void>
  isCompleted(key: string): Promise<boolean>
  setCompleted(key: string, isCompleted: boolean): Promise<void>
  /** Bytes of an entry's blobs; -1 without one. */
  length(key: string): Promise<number>
  /** @returns false when there was none. */
  remove(key: string): Promise<boolean>
  /** Gives an entry the shorter second life, or removes it when the store holds more than its target. */
  release(key: string): Promise<void>
  /** All entries that have not expired, in no order. */
  list(): AsyncIterable<TransientSummary>
  /** Removes what has expired, with its bytes. @returns how many entries. */
  removeExpired(): Promise<number>
  /** Reports the keys of the blob store that entries name. */
  references(found: (key: string) => void): Promise<void>
}

/** Bytes of all entries of a store. */
export const storageLength = async (store: Pick<TransientFileStore, 'list'>): Promise<number> => {
  let total = 0
  for await (const { length } of store.list()) total += length
  return total
}

/** The same for many who ask at once: they share one look at all entries. */
export const sharedLength = (store: Pick<TransientFileStore, 'list'>): (() => Promise<number>) => {
  let looking: Promise<number> | undefined
  return () => {
    looking ??= storageLength(store).finally(() => {
      looking = undefined
    })
    return looking
  }
}

/** Whether content is what the blob store has already, rather than bytes. */
export const isStored = (content: BlobContent | StoredBlob): content is StoredBlob =>
  'digestAlgorithm' in content
