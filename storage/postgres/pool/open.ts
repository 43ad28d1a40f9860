import postgres from 'postgres'
import { createConnectionLimit } from './limit.js'
import { limitPool, type Observer, type Pool } from './limited.js'

type ClientOptions = {
  url: string
  /** Longest time of one statement, milliseconds. */
  statementTimeout: number
  /** How much longer than a statement may last the server may say nothing, milliseconds. */
  silence: number
  applicationName: string
  /** Settings of the server for each of the sessions, by name. */
  session?: { [name: string]: string | number }
}

export type PoolOptions = ClientOptions & {
  connections: number
  /** Longest time to wait for a connection while all are in use, milliseconds. */
  connectionWait: number
  /** Statements that share one connection at most. */
  shares?: number
  observe?: Observer | undefined
}

/** What is listened with: on a connection that the driver opens beside those of the pool. */
export type ListeningClient = Pick<postgres.Sql, 'listen' | 'end'>

/** Longest time in seconds between two attempts to reach the server: callers wait while there is none. */
const MAX_PAUSE_S = 1

/** The published driver ignores the option: its faults lose answers and transactions, so nothing runs on it. */
export const checkPatched = ({ options }: { options: { answer_timeout?: number | null } }): void => {
  if (options.answer_timeout === undefined)
    throw new Error('The package "postgres" lacks its patch; "npx patch-package" applies what is in patches/')
}

const openClient = (
  { url, statementTimeout, silence, applicationName, session }: ClientOptions,
  connections: number,
): postgres.Sql => {
  const client = postgres(url, {
    max: connections,
    onnotice: () => {},
    backoff: (failures) => Math.min(0.01 * 2 ** failures, MAX_PAUSE_S),
    answer_timeout: (statementTimeout + silence) / 1000,
    connection: {
      application_name: applicationName,
      statement_timeout: statementTimeout,
      idle_in_transaction_session_timeout: 600_000,
      ...session,
    },
  })
  checkPatched(client)
  return client
}

/**
 * Opens a pool. No connection is made until the first statement.
 *
 * @throws Error when the driver is installed without its patch.
 */
export const openPool = ({ connections, connectionWait, shares, observe, ...options }: PoolOptions): Pool =>
  limitPool(
    openClient(options, connections),
    createConnectionLimit({ connections, waitTimeoutMs: connectionWait, shares }),
    observe,
  )

/** Opens what notifications arrive by. @throws Error when the driver is installed without its patch. */
export const openListener = (options: ClientOptions): ListeningClient => openClient(options, 1)
