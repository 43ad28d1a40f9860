import type { BlobStat } from '../types.js'

/** Bytes stored by one owner, and by all. */
export type BlobUsage = { own: number; total: number }

/** What is known of stored blobs beside their bytes, for all processes. */
export type BlobLedger = {
  /** @param owner a user's name; empty: the product itself. */
  usage(owner: string): Promise<BlobUsage>
  /**
   * Notes that somebody stores these bytes now, so that nobody collects them; waits for whoever does so at this moment.
   * The first to store them is their owner.
   */
  record(blob: BlobStat, owner: string): Promise<void>
  /** Notes stored blobs that nobody has recorded: those of release 0.1.0. */
  adopt(blobs: readonly BlobStat[]): Promise<void>
  /** Keys of blobs that nobody has stored for so long, and whether nothing named them when somebody last looked. */
  idle(graceMs: number): Promise<{ key: string; isSuspect: boolean }[]>
  /** Notes since when nothing names blobs that are still idle; those that are noted already keep their date. */
  suspect(keys: readonly string[], graceMs: number): Promise<void>
  /** Takes back that nothing names blobs. */
  acquit(keys: readonly string[]): Promise<void>
  /** Keys of blobs that have been suspects for so long. */
  expired(graceMs: number): Promise<string[]>
  /**
   * Forgets a blob if it is still expired. Whoever stores its bytes meanwhile waits.
   *
   * @param removeBytes is called before that is committed.
   * @returns its length; undefined when it is in use again.
   */
  remove(key: string, graceMs: number, removeBytes: () => Promise<unknown>): Promise<number | undefined>
}

/** Reads what may name blobs, and reports every text of hex digits that is as long as a key, known or not. */
export type BlobReferences = (found: (key: string) => void) => Promise<void>
