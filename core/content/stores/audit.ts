import type { JsonValue } from '../../platform/events/index.js'
import type { CountedPage, Results } from './searching/queries.js'

/** What has happened, as the audit keeps it (workflow-audit.md §6). */
export type LogEntry = {
  /** In the order in which entries were written. */
  id: number
  eventId: string
  category: string | null
  principalName: string | null
  comment: string | null
  /** State of the document after the event. */
  docLifeCycle: string | null
  docPath: string | null
  docType: string | null
  docUUID: string | null
  repositoryId: string | null
  eventDate: Date
  logDate: Date
  extended: { readonly [key: string]: JsonValue }
}

export type NewLogEntry = Omit<LogEntry, 'id' | 'logDate'>

/** A column of an entry, or a value inside of `extended` by its keys. */
export type AuditField = { column: Exclude<keyof LogEntry, 'extended'> } | { extended: readonly string[] }

export type AuditValue = string | number | Date

/** What entries must be; a value is of its column's type, and a text inside of `extended`. */
export type AuditCondition =
  | { kind: 'and' | 'or'; operands: readonly AuditCondition[] }
  | { kind: 'not'; operand: AuditCondition }
  | { kind: 'compare'; field: AuditField; operator: '=' | '<>' | '<' | '>' | '<=' | '>='; value: AuditValue }
  | { kind: 'in'; field: AuditField; values: readonly AuditValue[] }
  /** `%` and `_` stand for any text and any character, after a backslash for themselves. */
  | { kind: 'like'; field: AuditField; pattern: string; ignoresCase: boolean }
  | { kind: 'null'; field: AuditField }

export type AuditOrder = readonly { field: AuditField; isAscending: boolean }[]

/** The entries of one repository, which never change. */
export type AuditStore = {
  /** Writes entries in their order. Whoever reads the outbox does so, and nobody else: what is logged goes there first. */
  write(entries: readonly NewLogEntry[]): Promise<void>
  /** Entries in an order; those that are equal in it by id, as its last key has it. */
  find(
    where: AuditCondition | undefined,
    page: CountedPage & { order: AuditOrder },
  ): Promise<Results<LogEntry>>
}
