import type { Principal } from '../../../access/security/index.js'
import type { Session } from '../../../content/documents/index.js'
import type { TransientStore } from '../../language/index.js'
import type { BulkStore } from './bulk-store.js'
import type { Effects } from './effects.js'
import type { Incidents } from './incidents.js'
import type { InlineRuns } from './inline-runs.js'
import type { Iterations } from './iterations.js'
import type { Receipts } from './receipts.js'
import type { RunTallies } from './run-tallies.js'
import type { Sequences } from './sequences.js'

/** What steps reach in one transaction, for one principal. */
export type TransactionReach = {
  session: Session
  /** A session for somebody else in the same transaction. */
  sessionAs(principal: Principal): Session
  transient: TransientStore
  sequences: Sequences
  bulk: BulkStore
  /**
   * Work that is undone alone when it throws (a savepoint). What it reads and writes must go through what it is
   * given. Only inside a transaction.
   */
  attempt<Result>(work: (inner: TransactionReach) => Promise<Result>): Promise<Result>
  /** The signal of work in it, which also ends when it has held what it has changed for longer than its user may. */
  limited(signal: AbortSignal): AbortSignal
}

/** Everything that one transaction can reach, for one principal. */
export type UnitOfWork = TransactionReach & {
  receipts: Receipts
  iterations: Iterations
  inlineRuns: InlineRuns
  incidents: Incidents
  tallies: RunTallies
  /** What this transaction has done so far. */
  effects(): Promise<Effects>
}

/** Takes what writes one statement when all else of a transaction is done. */
export type BeforeCommit = (write: () => Promise<unknown>) => void

/** Opens transactions: all that the work does is committed together, or nothing of it. */
export type UnitsOfWork = {
  /**
   * The work may be run again from its beginning when it lost against another transaction. What it passes to `beforeCommit`
   * shares a round trip with the COMMIT.
   */
  transaction<Result>(
    principal: Principal,
    work: (unit: UnitOfWork, beforeCommit: BeforeCommit) => Promise<Result>,
  ): Promise<Result>
  /**
   * Runs work that commits many transactions one after another, at less cost than one by one. It may have one
   * of them open at a time. The next one, or the end, fails for one that could not be committed.
   */
  series<Result>(work: (transaction: UnitsOfWork['transaction']) => Promise<Result>): Promise<Result>
  /**
   * The same for a run that an event has started.
   *
   * @param depth how many runs, each started by an event of the one before, this one is the last of; what it does
   * carries that number.
   */
  startedByEvent(depth: number): UnitsOfWork
  /** For reading alone: each statement sees what is committed when it begins. */
  reading(principal: Principal): UnitOfWork
}
