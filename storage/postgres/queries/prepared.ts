import type { Sql } from '../connection/index.js'
import type { Statement } from '../nxql/index.js'

/** Compiled queries that the connections of one database have prepared. */
export type PreparedTexts = Set<string>

/** Room for the queries that a deployment repeats. */
const MAX_PREPARED = 500
const MAX_PREPARED_LENGTH = 4_000

/**
 * Whether to prepare a compiled query. Its shape comes from a caller, and what a connection has prepared it
 * keeps, so only short texts are, and only so many of them. A search of words is planned for its words each time:
 * a plan for any words would look through every document.
 */
const isPrepared = (preparedTexts: PreparedTexts, text: string): boolean => {
  if (preparedTexts.has(text)) return true
  if (text.includes('@@') || text.length > MAX_PREPARED_LENGTH || preparedTexts.size >= MAX_PREPARED)
    return false
  preparedTexts.add(text)
  return true
}

/** Sends compiled statements, and has those prepared that are likely to come again. */
export const createSender =
  (sql: Sql, preparedTexts: PreparedTexts) =>
  <Rows extends readonly object[]>({ text, parameters }: Statement) =>
    sql.unsafe<Rows & object[]>(text, parameters as never[], { prepare: isPrepared(preparedTexts, text) })
