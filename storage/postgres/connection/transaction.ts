import type { Pool } from '../pool/index.js'
import type { Sql } from './database.js'

/** Takes a statement that is sent already, and that nothing follows but the end of its transaction. */
export type WithCommit = (statement: Promise<unknown>) => void

/** Statements whose answers are waited for after the one to `COMMIT`, which is sent in the same breath. */
export const openCommit = (): { add: WithCommit; settled(): Promise<unknown> } => {
  const sent: Promise<unknown>[] = []
  return {
    add: (statement) => {
      // It may fail before anybody looks at it.
      statement.catch(() => undefined)
      sent.push(statement)
    },
    // Postgres has answered the COMMIT behind a statement that fails with a ROLLBACK.
    settled: () => Promise.all(sent),
  }
}

/**
 * Runs work in a transaction of the driver. Once its connection is lost, or it is over, the patched driver refuses
 * whatever the work still sends: the connection may have been opened again for somebody else by then.
 */
export const runTransaction = async <Result>(
  sql: Pool,
  work: (tx: Sql, withCommit: WithCommit) => Promise<Result>,
): Promise<Result> => {
  const commit = openCommit()
  // The driver's types unwrap arrays of promises, which no work returns.
  const done = (await sql.begin((tx) => work(tx, commit.add))) as Result
  await commit.settled()
  return done
}

export const isPool = (sql: Sql): sql is Pool => 'begin' in sql

/** Runs reads that see one and the same state of the database, however many statements they are. */
export const inSnapshot = <Result>(pool: Pool, work: (tx: Sql) => Promise<Result>): Promise<Result> =>
  runTransaction(pool, async (tx) => {
    await tx`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`
    return work(tx)
  })

/** Runs work in a transaction: in the one that it is given, else in one of its own on the pool. */
export const inTransaction = <Result>(sql: Sql, work: (tx: Sql) => Promise<Result>): Promise<Result> =>
  isPool(sql) ? runTransaction(sql, work) : work(sql)
