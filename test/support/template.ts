import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { migrate } from '../../schema/index.js'

/** The same server's address with another database's name. */
export const addressOf = (serverUrl: string, database: string): string => {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}

/** Runs one statement on the server's maintenance database. */
export const onServer = async <Row extends object>(serverUrl: string, statement: string): Promise<Row[]> => {
  const sql = postgres(serverUrl, { max: 1, onnotice: () => undefined })
  try {
    return [...(await sql.unsafe<Row[]>(statement))]
  } finally {
    await sql.end()
  }
}

/** A name of our own for each run, so that runs may share a server. */
export const uniqueName = (kind: string): string => `archivolt_${kind}_${randomBytes(6).toString('hex')}`

export type Template = { name: string; drop(): Promise<void> }

/**
 * Makes a database that test databases are cloned from: migrations run once, not once a file.
 *
 * @param from a template that it is cloned from itself, migrated already.
 * @param fill brings content into the migrated database.
 */
export const createTemplate = async (
  serverUrl: string,
  {
    from,
    fill = async () => undefined,
  }: { from?: string; fill?: (databaseUrl: string) => Promise<void> } = {},
): Promise<Template> => {
  const name = uniqueName('template')
  await onServer(serverUrl, `CREATE DATABASE ${name}${from === undefined ? '' : ` TEMPLATE ${from}`}`)
  if (from === undefined) await migrate(addressOf(serverUrl, name))
  await fill(addressOf(serverUrl, name))
  return { name, drop: async () => void (await onServer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`)) }
}
