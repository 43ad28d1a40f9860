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
}

export type ConversionState =
  | { status: 'scheduled' | 'running' }
  | { status: 'completed'; blob: BlobValue }
  | { status: 'failed'; error: Error }

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
}
