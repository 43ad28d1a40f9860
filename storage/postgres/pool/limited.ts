import type postgres from 'postgres'
import type { Connections } from '../../../core/platform/telemetry/index.js'
import { type ConnectionLimit, SHARES } from './limit.js'
import { atEnd, type Ended, isCursor, isStatement, type PendingStatement } from './statement.js'

/** A pool of connections, without what the limit does not know of. */
export type Pool = postgres.ISql &
  Pick<postgres.Sql, 'begin' | 'end' | 'options'> & { connections(): Connections }

/** Called with a statement before it waits for a connection. @returns what is called at its end. */
export type Observer = (statement: PendingStatement) => Ended | undefined

/** The driver sends nothing behind a cursor, nor behind a statement whose parameters are described each time. */
const keepsConnection = (statement: PendingStatement): boolean =>
  isCursor(statement) || (statement.options.prepare === false && !statement.options.simple)

const endBoth =
  (first: Ended, second: Ended): Ended =>
  (error) => {
    first(error)
    second(error)
  }

/** The same pool, whose statements and transactions wait for a connection by the rules of a limit. */
export const limitPool = (pool: postgres.Sql, limit: ConnectionLimit, observe?: Observer): Pool => {
  // Never sent: all statements of a pool have one handler.
  const { handler: forward } = pool`` as unknown as PendingStatement
  const releaseShare = (): void => limit.release(1)
  const releaseConnection = (): void => limit.release(SHARES)
  const start = (statement: PendingStatement, ended: Ended): void => {
    atEnd(statement, ended)
    forward(statement)
  }
  const send = (statement: PendingStatement): void => {
    const isAlone = keepsConnection(statement)
    const release = isAlone ? releaseConnection : releaseShare
    const observed = observe?.(statement)
    const ended: Ended = observed ? endBoth(release, observed) : release
    const refuse = observed ? endBoth(statement.reject, observed) : statement.reject
    limit.take(isAlone ? SHARES : 1, () => start(statement, ended), refuse)
  }
  const limited =
    (call: (...args: never[]) => unknown) =>
    (...args: never[]): unknown => {
      const made = call(...args)
      if (isStatement(made)) made.handler = send
      return made
    }
  const begin = async (work: (tx: postgres.TransactionSql) => unknown): Promise<unknown> => {
    await new Promise<void>((resolve, reject) => limit.take(SHARES, resolve, reject))
    try {
      return await pool.begin(work)
    } finally {
      releaseConnection()
    }
  }
  return Object.assign(limited(pool as never), pool, {
    unsafe: limited(pool.unsafe as never),
    begin,
    connections: limit.state,
  }) as unknown as Pool
}
