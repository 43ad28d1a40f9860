import { type PageOf, type Paging, readPage, type Session } from '../../content/documents/index.js'
import type { AuditOrder, LogEntry } from '../../content/stores/index.js'
import { parseNxql, type Query } from '../../model/nxql/index.js'
import { conditionOf } from './conditions.js'
import { fieldOf } from './fields.js'

export type LogEntryPage = PageOf<LogEntry>

/** Newest first. */
const DEFAULT_ORDER: AuditOrder = [{ field: { column: 'eventDate' }, isAscending: false }]

/** The older notation: `from LogEntry log where log.eventId = 'x' order by log.id` (workflow-audit.md §6). */
const OLDER = /^\s*(?:select\s+\w+\s+)?from\s+LogEntry(?:\s+(?:as\s+)?(?!(?:where|order)\b)(\w+))?/i

/**
 * A query of entries, in NXQL or in the older notation, whose alias may have any name.
 *
 * @throws badRequest with the place of a syntax error.
 */
export const parseAuditQuery = (text: string): Query => {
  const match = OLDER.exec(text)
  if (!match) return parseNxql(text)
  const [older, alias] = match
  const rest = text.slice(older.length)
  const unaliased = alias === undefined ? rest : withoutAlias(rest, alias)
  return parseNxql(`SELECT * FROM LogEntry${unaliased}`)
}

/** Outside of quoted texts. */
const withoutAlias = (text: string, alias: string): string =>
  text.replace(
    new RegExp(`('(?:[^'\\\\]|\\\\.)*'?|"(?:[^"\\\\]|\\\\.)*"?)|\\b${alias}\\.`, 'g'),
    (_, quoted = '') => quoted,
  )

/**
 * A page of the entries that a query finds, newest first unless it has an order. Rights are its callers' to check.
 *
 * @throws badRequest for fields that entries do not have.
 */
export const findLogEntries = (session: Session, query: Query, paging: Paging): Promise<LogEntryPage> => {
  const where = query.where === null ? undefined : conditionOf(query.where, session.now)
  const order = query.orderBy.map(({ reference, descending }) => ({
    field: fieldOf(reference),
    isAscending: !descending,
  }))
  return readPage(paging, (page) =>
    session.stores.audit.find(where, { ...page, order: order.length > 0 ? order : DEFAULT_ORDER }),
  )
}
