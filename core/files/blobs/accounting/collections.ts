import type { Collected } from './collect.js'

/**
 * A collection that goes on, or has ended.
 *
 * @property state in the words of Temporal: RUNNING, COMPLETED, FAILED and so on.
 * @property collected what it has removed, or would remove; of a complete one.
 */
export type CollectionReport = {
  state: string
  startedAt: Date
  closedAt?: Date
  collected?: Collected
  failure?: string
}

/** Collections of blobs that nothing names, one at a time. */
export type BlobCollections = {
  /** @throws conflict while one goes on. */
  start(options: { isDryRun: boolean }): Promise<void>
  /** The one that was started last; undefined when there was none, or it is forgotten. */
  latest(): Promise<CollectionReport | undefined>
}
