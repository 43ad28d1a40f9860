import type { Principal } from '../../access/security/index.js'
import type { BlobOwner } from '../../files/blobs/index.js'
import type { BlobValue } from '../../model/properties/index.js'

/** A requested conversion: by a named converter, or to a media type or file format. */
export type ConversionJob = {
  source: BlobValue
  converter?: string
  type?: string
  format?: string
  parameters: { [name: string]: string }
  requestId: string
  /** Whose the result is; absent in runs of release 0.1.0. */
  owner?: BlobOwner
  /** Id of the document whose file it is. */
  documentId?: string
  /** The first workflow task converts what takes seconds; absent in runs of release 0.1.0. */
  beginsLocally?: boolean
}

/** `progress` from 0 to 1, of converters that report it. */
export type ConversionState =
  | { status: 'scheduled' | 'running'; progress?: number }
  | { status: 'completed'; blob: BlobValue }
  | { status: 'failed'; error: Error }
  | { status: 'cancelled' }

export type ListedConversion = {
  id: string
  /** One of `RUN_STATES`. */
  state: string
  /** Name of the file. */
  file?: string
  /** The converter, media type or file format. */
  target?: string
  documentId?: string
  startedAt: Date
  closedAt: Date | undefined
}

export type ConversionRuns = {
  /**
   * Starts a conversion.
   *
   * @returns the id by which its caller follows it.
   * @throws tooManyRequests when its caller has as many open ones as may be.
   */
  start(job: ConversionJob, principal: Principal): Promise<string>
  /** Waits for the blob. @throws what the conversion failed with. */
  result(id: string, principal: Principal): Promise<BlobValue>
  /** @throws notFound for an id that is unknown, expired, or belongs to another user. */
  state(id: string, principal: Principal): Promise<ConversionState>
  /** Those of the caller, those that began last first. */
  list(principal: Principal, limit: number): Promise<ListedConversion[]>
  /**
   * Asks a conversion to end; it does when its worker has heard of it.
   *
   * @throws notFound as `state` does, conflict for one that has ended.
   */
  cancel(id: string, principal: Principal): Promise<void>
}
