import { setImmediate as nextTurn } from 'node:timers/promises'
import type postgres from 'postgres'
import { fail } from '../../core/errors/index.js'
import type { Sql } from './database.js'

const lostError = () => fail('unavailable', 'The connection to the database was lost in a transaction')

const forever = new Promise<never>(() => undefined)

/** Keeps the end of some work from the driver, which would roll back what is not there any more. */
const unlessOver = async <Result>(work: () => Promise<Result>, isOver: () => boolean): Promise<Result> => {
  try {
    const result = await work()
    return isOver() ? await forever : result
  } catch (error) {
    // A lost connection fails the statement under way before it is reported as lost.
    await nextTurn()
    if (isOver()) await forever
    throw error
  }
}

/** The transaction's own way to its connection, closed once the transaction is over. */
const guarded = (tx: Sql, isOver: () => boolean): Sql => {
  const check = (): void => {
    if (isOver()) throw lostError()
  }
  return new Proxy(tx, {
    apply: (target, self, given) => {
      check()
      return Reflect.apply(target, self, given)
    },
    get: (target, name, receiver) => {
      const value: unknown = Reflect.get(target, name, receiver)
      if (typeof value === 'function') check()
      if (name !== 'savepoint') return value
      // What goes to the connection from inside of a savepoint is held to the same.
      return (work: (inner: Sql) => Promise<unknown>) =>
        (target as postgres.TransactionSql).savepoint((inner) =>
          unlessOver(() => work(guarded(inner, isOver)), isOver),
        )
    },
  })
}

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
 * Runs work in a transaction of the driver, and nothing of it after its connection is lost. The driver
 * reports the loss, but takes what the work still sends, and its own ROLLBACK, to the same connection, which
 * by then may have been opened anew: the statements would be committed one by one, or end a transaction of
 * somebody else. So the work's statements are refused from then on, and the driver never learns that it ended.
 */
export const runTransaction = async <Result>(
  sql: postgres.Sql,
  work: (tx: Sql, withCommit: WithCommit) => Promise<Result>,
): Promise<Result> => {
  let isOver = false
  const commit = openCommit()
  try {
    // The driver's types unwrap arrays of promises, which no work returns.
    const done = (await sql.begin((tx) =>
      unlessOver(
        () =>
          work(
            guarded(tx, () => isOver),
            commit.add,
          ),
        () => isOver,
      ),
    )) as Result
    await commit.settled()
    return done
  } finally {
    isOver = true
  }
}

const isPool = (sql: Sql): sql is postgres.Sql => 'begin' in sql

/** Runs work in a transaction: in the one that it is given, else in one of its own on the pool. */
export const inTransaction = <Result>(sql: Sql, work: (tx: Sql) => Promise<Result>): Promise<Result> =>
  isPool(sql) ? runTransaction(sql, work) : work(sql)
