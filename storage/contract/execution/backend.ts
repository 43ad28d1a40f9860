import type { UnitOfWork } from '../../../core/automation/run-store/index.js'

/** What runs keep, in one transaction. */
export type ExecutionStores = Pick<
  UnitOfWork,
  'transient' | 'sequences' | 'receipts' | 'iterations' | 'inlineRuns' | 'incidents' | 'bulk' | 'tallies'
>

/** Where runs keep what they need, as contract tests use it. */
export type ExecutionBackend = {
  /** Runs work in one transaction: all of it is kept, or nothing when it throws. */
  transaction<Result>(work: (stores: ExecutionStores) => Promise<Result>): Promise<Result>
  /** Outside of transactions: each call sees what is committed when it begins. */
  reading: ExecutionStores
}

export const undone = new Error('undone')
