import { setImmediate as nextTurn } from 'node:timers/promises'
import type postgres from 'postgres'
import { fail } from '../../core/errors/index.js'
import type { Sql } from './database.js'

const lostError = () => fail('unavailable', 'The connection to the database was lost in a transaction')

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
        (target as postgres.TransactionSql).savepoint((inner) => work(guarded(inner, isOver)))
    },
  })
}

const forever = new Promise<never>(() => undefined)

/**
 * Runs work in a transaction of the driver, and nothing of it after its connection is lost. The driver
 * reports the loss, but takes what the work still sends, and its own ROLLBACK, to the same connection, which
 * by then may have been opened anew: the statements would be committed one by one, or end a transaction of
 * somebody else. So the work's statements are refused from then on, and the driver never learns that it ended.
 */
export const runTransaction = async <Result>(
  sql: postgres.Sql,
  work: (tx: Sql) => Promise<Result>,
): Promise<Result> => {
  let isOver = false
  try {
    // The driver's types unwrap arrays of promises, which no work returns.
    return (await sql.begin(async (tx) => {
      try {
        const result = await work(guarded(tx, () => isOver))
        return isOver ? await forever : result
      } catch (error) {
        // A lost connection fails the statement under way before it is reported as lost.
        await nextTurn()
        if (isOver) await forever
        throw error
      }
    })) as Result
  } finally {
    isOver = true
  }
}

const isPool = (sql: Sql): sql is postgres.Sql => 'begin' in sql

/** Runs work in a transaction: in the one that it is given, else in one of its own on the pool. */
export const inTransaction = <Result>(sql: Sql, work: (tx: Sql) => Promise<Result>): Promise<Result> =>
  isPool(sql) ? runTransaction(sql, work) : work(sql)
