import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { afterAll, inject } from 'vitest'
import { addressOf, onServer, uniqueName } from './template.js'

export type TestDatabase = { name: string; url: string }

type Connection = { state: string; application: string; query: string }

const maintenance = new Map<string, postgres.Sql>()

/** Says something about databases, on a connection that files share as long as one follows the other. */
const aboutDatabases = async <Row extends object>(server: string, statement: string): Promise<Row[]> => {
  const sql =
    maintenance.get(server) ?? postgres(server, { max: 1, idle_timeout: 1, onnotice: () => undefined })
  maintenance.set(server, sql)
  return [...(await sql.unsafe<Row[]>(statement))]
}

const connectionsTo = (server: string, name: string): Promise<Connection[]> =>
  aboutDatabases<Connection>(
    server,
    `SELECT coalesce(state, '') AS state, application_name AS application, left(query, 200) AS query
     FROM pg_stat_activity WHERE datname = '${name}' AND backend_type = 'client backend'`,
  )

/** What no client that is ending needs, however busy the machine is. */
const GRACE_MS = 60_000

/** Connections that are still there after a grace period: clients that are ending take a moment. */
const leftConnections = async (server: string, name: string): Promise<Connection[]> => {
  for (const end = Date.now() + GRACE_MS; Date.now() < end; await sleep(50)) {
    if ((await connectionsTo(server, name)).length === 0) return []
  }
  return connectionsTo(server, name)
}

const describeLeak = ({ state, application, query }: Connection): string =>
  `${state.startsWith('idle in transaction') ? 'open transaction' : `connection (${state})`} of ${application || 'a client'}: ${query}`

/** Runs that events start are named by the event: another database on the same Temporal has other ones. */
const firstEvent = (): number => randomInt(1_000, 2_000_000_000)

/**
 * A database of its own for a test file, cloned from the migrated template. Call it at the top level of the
 * file (`const database = await createTestDatabase()`). After the file's own `afterAll` hooks it is dropped,
 * and the file fails when a connection or a transaction was left open.
 *
 * @param isSeeded whether it holds what the product's first start brings: groups, administrator, default content.
 */
export const createTestDatabase = async ({ isSeeded = false } = {}): Promise<TestDatabase> => {
  const server = inject('databaseServer')
  const name = uniqueName('test')
  const template = inject(isSeeded ? 'seededTemplate' : 'databaseTemplate')
  // A copy of its files costs half of what a copy by way of the log does.
  await aboutDatabases(server, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`)
  await onServer(addressOf(server, name), `ALTER TABLE outbox ALTER COLUMN id RESTART WITH ${firstEvent()}`)
  afterAll(async () => {
    const leaks = await leftConnections(server, name)
    await aboutDatabases(server, `DROP DATABASE ${name} WITH (FORCE)`)
    if (leaks.length > 0) throw new Error(`The test file left behind: ${leaks.map(describeLeak).join('; ')}`)
  })
  return { name, url: addressOf(server, name) }
}
