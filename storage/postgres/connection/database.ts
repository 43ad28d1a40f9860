import { randomUUID } from 'node:crypto'
import type postgres from 'postgres'
import { NEEDS_TRANSACTION } from '../../../core/platform/errors/index.js'
import { createListening, type Listening } from '../listening/index.js'
import { openListener, openPool, type Pool, type PoolOptions } from '../pool/index.js'
import {
  isWorthAnotherAttempt,
  OPTIMISTIC_ATTEMPTS,
  withAttempts,
  withTransactionAttempts,
} from './attempts.js'
import { createRefuseWaiting, type RefuseWaiting } from './refuse-waiting.js'
import { createSeries } from './series.js'
import { observeStatement, traceTransaction } from './trace-statements.js'
import { runTransaction, type WithCommit } from './transaction.js'

/** As many statements as the driver sends ahead on one connection. */
const KEYED = { connections: 2, shares: 100 }

/** Longest time in milliseconds that a statement for many callers waits for a lock. */
const LOCK_WAIT_MS = 100

/** How many documents a list has is unknown when its plan is made: each is found by its key, however few there are. */
const BY_KEY = { enable_seqscan: 'off', enable_hashjoin: 'off', enable_mergejoin: 'off' }

const TOGETHER = { connections: 4, shares: 1, session: { lock_timeout: LOCK_WAIT_MS, ...BY_KEY } }

/** A connection pool or one transaction: what a statement may be sent to. */
export type Sql = postgres.ISql

export type Database = {
  /** The pool, for statements that are complete in themselves. */
  sql: Pool
  /** One connection beside the pool, for short reads that callers may wait for while they hold one of the pool's. */
  aside: Pool
  /**
   * Few connections for reads by a key outside transactions: what is sent at the same moment is one packet, which the
   * server answers without changing between processes. Nothing that may wait for a lock, or takes long.
   */
  keyed: Pool
  /**
   * Few connections for statements that write for many callers at once. One that waits for a lock longer than
   * `LOCK_WAIT_MS` fails, and holds nothing by then. Absent where each statement is to be seen in its caller's trace.
   */
  together: Pool | undefined
  /** For transactions that hold many rows for long. */
  refuseWaiting: RefuseWaiting
  /** Notifications of committed transactions, of any process. */
  listening: Pick<Listening, 'listen' | 'check'>
  /**
   * Runs work in one transaction: all of it is committed, or nothing. Work that lost against another
   * transaction (deadlock, serialization failure, a row changed since it was read) is done again from its
   * beginning, a few times, so it must have no effects of its own outside the transaction.
   *
   * @param work is given whether it has lost before and had better hold what it reads. What it gives to `withCommit` as
   *   its last statement shares a round trip with the COMMIT.
   */
  transaction<Result>(
    work: (sql: Sql, isContended: boolean, withCommit: WithCommit) => Promise<Result>,
  ): Promise<Result>
  /**
   * Runs work that commits many transactions one after another, each by the rules of `transaction`, with a
   * round trip less for each. It may have one of them open at a time.
   */
  series<Result>(work: (transaction: Database['transaction']) => Promise<Result>): Promise<Result>
  /**
   * Runs work on the pool whose only write is one statement, without the two round trips of a transaction.
   *
   * @param held the same work in a transaction, for when it has more to write; given whether to hold what it reads when
   *   the first keeps losing.
   */
  singleWrite<Result>(
    work: () => Promise<Result>,
    held: (sql: Sql, isContended: boolean) => Promise<Result>,
  ): Promise<Result>
  close(): Promise<void>
}

export type DatabaseOptions = {
  url: string
  /** Connections of this process. */
  poolSize?: number
  /** Longest time of one statement in milliseconds. */
  statementTimeout?: number
  /** Longest time in milliseconds to wait for a connection while all are in use. */
  connectionWait?: number
  /** How much longer the server may say nothing, milliseconds, before its connection is taken as lost. */
  silence?: number
  applicationName?: string
  /** Milliseconds between heartbeats of the listening connection, and after how many it counts as dead. */
  heartbeat?: { beatMs: number; silentMs: number }
  /** A span for each transaction and each statement of a trace. */
  isTraced?: boolean
}

/**
 * Opens the pool of this process. No connection is made until the first statement.
 *
 * @throws Error when the driver is installed without its patch.
 */
export const createDatabase = ({
  url,
  poolSize = 20,
  statementTimeout = 60_000,
  connectionWait = 30_000,
  silence = 15_000,
  applicationName = 'archivolt',
  isTraced = false,
  heartbeat,
}: DatabaseOptions): Database => {
  const options = { url, statementTimeout, silence, applicationName }
  const open = (wanted: Pick<PoolOptions, 'connections' | 'shares' | 'session'>): Pool =>
    openPool({
      ...options,
      ...wanted,
      connectionWait,
      observe: isTraced ? observeStatement : undefined,
    })
  const pool = open({ connections: poolSize })
  const alone = open({ connections: 1 })
  const keyed = open(KEYED)
  const together = isTraced ? undefined : open(TOGETHER)
  const listening = createListening({
    open: () => openListener(options),
    notify: async (channel) => {
      await alone`SELECT pg_notify(${channel}, '')`
    },
    name: randomUUID(),
    ...heartbeat,
  })
  const begin = <Result>(work: (tx: Sql, withCommit: WithCommit) => Promise<Result>) =>
    runTransaction(pool, work)
  const transaction: Database['transaction'] = (work) =>
    withTransactionAttempts((isContended) => {
      const attempted = (tx: Sql, withCommit: WithCommit) => work(tx, isContended, withCommit)
      return isTraced ? traceTransaction(attempted, begin) : begin(attempted)
    })
  return {
    sql: pool,
    aside: alone,
    keyed,
    together,
    refuseWaiting: createRefuseWaiting(alone),
    listening,
    transaction,
    series: async (work) => {
      // Each transaction of a trace has a span of its own.
      if (isTraced) return work(transaction)
      const series = createSeries(begin)
      try {
        return await work((inner) =>
          withTransactionAttempts((isContended) =>
            series.transaction((tx, withCommit) => inner(tx, isContended, withCommit)),
          ),
        )
      } finally {
        await series.close()
      }
    },
    singleWrite: async (work, held) => {
      try {
        return await withAttempts(OPTIMISTIC_ATTEMPTS, work)
      } catch (error) {
        if (error === NEEDS_TRANSACTION) return transaction(held)
        if (!isWorthAnotherAttempt(error)) throw error
        return transaction((tx) => held(tx, true))
      }
    },
    close: async () => {
      await listening.close()
      await Promise.all(
        [pool, alone, keyed, together].map((connections) => connections?.end({ timeout: 10 })),
      )
    },
  }
}
