import { DrizzleQueryError } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import {
  PgRemoteDatabase,
  PgRemoteSession,
  type PreparedQuery,
  type RemoteCallback,
} from 'drizzle-orm/pg-proxy'
import type { Sql } from './database.js'

type NoSchema = Record<string, never>

/** Drizzle writes JSON itself, and so would the driver: it is given values. */
const valueFor = (parameter: unknown, type: unknown): unknown =>
  type === 'json' && typeof parameter === 'string' ? JSON.parse(parameter) : parameter

const sending =
  (sql: Sql): RemoteCallback =>
  async (text, parameters: unknown[], method, types: unknown[] = []) => {
    const values = parameters.map((parameter, index) => valueFor(parameter, types[index]))
    const statement = sql.unsafe(text, values as never[], { prepare: true })
    return { rows: [...(await (method === 'all' ? statement.values() : statement))] }
  }

/** Throws the driver's own error, which callers know: Drizzle's shows the values of the statement, in its message. */
const unwrapped = (error: unknown): never => {
  throw error instanceof DrizzleQueryError && error.cause ? error.cause : error
}

class Session extends PgRemoteSession<NoSchema, NoSchema> {
  override prepareQuery(...query: Parameters<PgRemoteSession<NoSchema, NoSchema>['prepareQuery']>) {
    const prepared = super.prepareQuery(...query)
    const execute = prepared.execute.bind(prepared)
    prepared.execute = (values) => execute(values).catch(unwrapped)
    return prepared as PreparedQuery<never>
  }
}

const dialect = new PgDialect()

/**
 * Drizzle's typed queries, sent on a connection of ours: for what is not asked with each request, since building one
 * takes some 0.1 ms (bench/README.md). Drizzle is given no client, whose parsers it would replace for everybody.
 */
export const typed = (sql: Sql): PgRemoteDatabase =>
  new PgRemoteDatabase(dialect, new Session(sending(sql), dialect, undefined), undefined)
