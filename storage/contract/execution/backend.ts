import type { Housekeeping, UnitOfWork } from '../../../core/automation/run-store/index.js'
import type { MailQueue, Outbox } from '../../../core/content/stores/index.js'

/** What runs keep, in one transaction. */
export type ExecutionStores = Pick<
  UnitOfWork,
  'transient' | 'sequences' | 'receipts' | 'iterations' | 'inlineRuns' | 'incidents' | 'bulk' | 'tallies'
>

/** With what a step does to others, and what is recorded of it. */
export type TransactionStores = ExecutionStores &
  Pick<UnitOfWork, 'effects'> &
  Pick<Outbox, 'emit'> &
  Pick<MailQueue, 'enqueue'>

/** Where runs keep what they need, as contract tests use it. */
export type ExecutionBackend = {
  /** Runs work in one transaction: all of it is kept, or nothing when it throws. */
  transaction<Result>(work: (stores: TransactionStores) => Promise<Result>): Promise<Result>
  /** Outside of transactions: each call sees what is committed when it begins. */
  reading: ExecutionStores
  housekeeping: Housekeeping
  /** Makes all that is kept older, as if so many days had passed. */
  age(days: number): Promise<void>
}

export const undone = new Error('undone')
