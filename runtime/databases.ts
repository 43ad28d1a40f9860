import { fail } from '../core/platform/errors/index.js'
import { DEFAULT_REPOSITORY, type RepositorySetting, type Settings } from '../core/platform/settings/index.js'
import type { HealthCheck, WorkMetrics } from '../core/platform/telemetry/index.js'
import { migrate } from '../schema/index.js'
import { createDatabase, type Database, ensureDatabase, readBacklog } from '../storage/postgres/index.js'

/** The database of a repository. */
export type NamedDatabase = { name: string; database: Database }

/** @throws invalid naming the setting and the repository whose database cannot be used. */
const prepareFurther = async ({ name, databaseUrl }: RepositorySetting): Promise<void> => {
  try {
    await ensureDatabase(databaseUrl)
    await migrate(databaseUrl)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw fail('invalid', `ARCHIVOLT_REPOSITORIES: the database of ${name} cannot be used: ${reason}`, {
      cause,
    })
  }
}

/** The default repository, then those that the settings name. */
export const openDatabases = async (settings: Settings): Promise<NamedDatabase[]> => {
  const wanted = [{ name: DEFAULT_REPOSITORY, databaseUrl: settings.databaseUrl }, ...settings.repositories]
  await migrate(settings.databaseUrl)
  for (const repository of settings.repositories) await prepareFurther(repository)
  return wanted.map(({ name, databaseUrl }) => ({
    name,
    database: createDatabase({
      url: databaseUrl,
      poolSize: settings.databasePool,
      connectionWait: settings.databaseWaitSeconds * 1000,
      isTraced: settings.tracing.isEnabled,
    }),
  }))
}

/** Closes what was opened for a process that cannot start, before its reason is thrown. */
export const orClose = async <Result>(
  databases: readonly NamedDatabase[],
  work: () => Promise<Result>,
): Promise<Result> => {
  try {
    return await work()
  } catch (error) {
    await Promise.all(databases.map((opened) => opened.database.close()))
    throw error
  }
}

/** On the connection beside the pool: that all of those are in use says nothing about the database. */
export const databaseCheck = ({ name, database: { aside } }: NamedDatabase): HealthCheck => ({
  name: name === DEFAULT_REPOSITORY ? 'database' : `database ${name}`,
  isRequired: true,
  check: async () => {
    await aside`SELECT 1`
  },
})

/** A connection may be silent without being closed: what others change would then be learnt late. */
export const notificationsCheck = ({ name, database: { listening } }: NamedDatabase): HealthCheck => ({
  name: name === DEFAULT_REPOSITORY ? 'notifications' : `notifications ${name}`,
  isRequired: true,
  check: async () => listening.check(),
})

/** Lets the metrics look at what waits in each database, and at the connections of this process. */
export const measureDatabases = (metrics: WorkMetrics, databases: readonly NamedDatabase[]): void => {
  for (const { name, database } of databases)
    metrics.follow({
      repository: name,
      backlog: () => readBacklog(database.aside),
      connections: database.sql.connections,
    })
}
