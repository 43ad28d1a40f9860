import type { Query } from '../../../model/nxql/index.js'
import type { PropertyValue } from '../../../model/properties/index.js'
import type { ChainDefinition } from '../chains/chain.js'

export type BulkRequest = {
  action: string
  query: Query
  parameters: { [name: string]: PropertyValue }
  queryLimit?: number | undefined
  /** Documents that a worker takes at once: 1 to 10,000, 1,000 when absent. */
  bucketSize?: number | undefined
  /** Documents of one transaction: 1 to 1,000, 100 when absent. */
  batchSize?: number | undefined
  /** Documents in a second at most. */
  documentsPerSecond?: number | undefined
}

export type BulkState = 'SCHEDULED' | 'SCROLLING_RUNNING' | 'RUNNING' | 'COMPLETED' | 'ABORTED'

/** What is called for the documents of a command, with the chains as they were when it was given. */
export type BulkWork = {
  target: string
  parameters: { [name: string]: PropertyValue }
  chains: { [id: string]: ChainDefinition }
}

export type NewBulkCommand = {
  id: string
  principal: string
  requestId: string
  action: string
  query: Query
  /** Documents at most. */
  queryLimit: number | null
  work: BulkWork
  /** Documents that a worker takes at once. */
  bucketSize: number
  /** Documents of one transaction. */
  batchSize: number
  /** Documents in a second at most; null: as fast as it goes. */
  rate: number | null
  /** The command whose failed documents it does again; null: it finds its own by the query. */
  repairs: string | null
}

export type BulkFailure = { position: number; id: string; status: number; message: string }

export type BulkCommand = NewBulkCommand & {
  state: BulkState
  /** Ids found so far: a list of the transient store under the command's id. */
  collected: number
  lastId: string | null
  /** Documents behind it, failed ones included. */
  processed: number
  failed: number
  /** The first of them, up to `KEPT_FAILURES`. */
  failures: readonly BulkFailure[]
  /** What ended it before its end. */
  error: string | null
  submittedAt: Date
  scrollStartedAt: Date | null
  scrollEndedAt: Date | null
  completedAt: Date | null
  /** Its workflow was started, and again since it was resumed. */
  isStarted: boolean
  /** It was given in the transaction that asks: nobody can have started it yet. */
  isUncommitted: boolean
}
