import type { TransactionSql } from 'postgres'
import { fail } from '../../../core/platform/errors/index.js'
import type { Sql } from './database.js'
import { databaseFailure } from './failures.js'

/** The driver's error as one that core rules know, when the whole transaction is to be done again. */
const lostRace = (error: unknown): unknown => {
  const failure = databaseFailure(error)
  return failure?.code === 'conflict' || failure?.code === 'unavailable'
    ? fail(failure.code, failure.message, { cause: error, retryable: true, retryAfter: failure.retryAfter })
    : error
}

/** The last savepoint of each transaction, or savepoint, that is open. */
const lastOf = new WeakMap<Sql, Promise<unknown>>()

/**
 * Waits until no savepoint of a transaction is open: a statement that is sent beside one fails, and the transaction with it,
 * where it comes between a failure in the savepoint and its rollback.
 */
export const outsideSavepoints = async (sql: Sql): Promise<void> => {
  for (let last = lastOf.get(sql); last !== undefined; ) {
    await last
    const next = lastOf.get(sql)
    if (next === last) return
    last = next
  }
}

/**
 * Runs work in a savepoint of a transaction: when it throws, what it wrote is undone and the transaction goes on. One
 * after the other, however many ask at once: savepoints of one connection are a stack.
 *
 * @param work must send its statements to what it is given: the driver counts any other failed one against the
 *   transaction.
 */
export const inSavepoint = <Result>(sql: Sql, work: (inner: Sql) => Promise<Result>): Promise<Result> => {
  const attempt = async (): Promise<Result> => {
    try {
      // The driver's types unwrap arrays of promises, which no work returns.
      return (await (sql as TransactionSql).savepoint((inner) => work(inner))) as Result
    } catch (error) {
      throw lostRace(error)
    }
  }
  const own = (lastOf.get(sql) ?? Promise.resolve()).then(attempt)
  lastOf.set(
    sql,
    own.catch(() => undefined),
  )
  return own
}
