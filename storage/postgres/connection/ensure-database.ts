import postgres from 'postgres'
import { CONNECTION_END } from '../../../schema/connection-end.js'

const UNKNOWN_DATABASE = '3D000'
const ALREADY_THERE = ['42P04', '23505']
/** Exists on every server, for whoever has no other database to be in. */
const MAINTENANCE = 'postgres'

const hasCode = (error: unknown, codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code))

const run = async (url: string, statement: string): Promise<void> => {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    await sql.unsafe(statement)
  } finally {
    await sql.end(CONNECTION_END)
  }
}

/**
 * Makes the database of an address when its server does not have it yet; another process may do so first.
 *
 * @throws the driver's error when the server cannot be reached or the role may not make databases.
 */
export const ensureDatabase = async (url: string): Promise<void> => {
  try {
    await run(url, 'SELECT 1')
  } catch (error) {
    if (!hasCode(error, [UNKNOWN_DATABASE])) throw error
    const server = new URL(url)
    const name = decodeURIComponent(server.pathname.slice(1))
    server.pathname = `/${MAINTENANCE}`
    try {
      await run(server.href, `CREATE DATABASE "${name.replaceAll('"', '""')}"`)
    } catch (refusal) {
      if (!hasCode(refusal, ALREADY_THERE)) throw refusal
    }
  }
}
