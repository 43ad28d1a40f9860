import type { Session } from '../../content/documents/index.js'
import type { AuditCondition, AuditValue, LogEntry } from '../../content/stores/index.js'
import { logEntryEntity } from './entity.js'

const COLUMNS = [
  'id',
  'eventDate',
  'logDate',
  'eventId',
  'category',
  'principalName',
  'docUUID',
  'docPath',
  'docType',
  'docLifeCycle',
  'repositoryId',
  'comment',
  'extended',
] as const satisfies readonly (keyof LogEntry)[]

/** Entries that are held in memory at once. */
const PAGE = 1_000

/** What spreadsheets would evaluate as a formula is text behind a quote: users choose names, paths and comments. */
const inert = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

const cellOf = (value: unknown): string => {
  if (typeof value === 'number') return String(value)
  const text = inert(value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value))
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const lineOf = (cells: readonly unknown[]): string => `${cells.map(cellOf).join(',')}\r\n`

/** What an export is narrowed by; an absent field takes everything. */
export type ExportedEntries = {
  eventId?: readonly string[]
  category?: readonly string[]
  principalName?: readonly string[]
  from?: Date | undefined
  to?: Date | undefined
}

const conditionsOf = ({ from, to, ...among }: ExportedEntries, after: number): AuditCondition => {
  const lists = Object.entries(among) as ['eventId' | 'category' | 'principalName', readonly AuditValue[]][]
  const compare = (column: 'id' | 'eventDate', operator: '>' | '>=' | '<=', value: AuditValue) =>
    ({ kind: 'compare', field: { column }, operator, value }) as const
  return {
    kind: 'and',
    operands: [
      compare('id', '>', after),
      ...(from ? [compare('eventDate', '>=', from)] : []),
      ...(to ? [compare('eventDate', '<=', to)] : []),
      ...lists.flatMap(([column, values]) =>
        values.length === 0 ? [] : [{ kind: 'in', field: { column }, values } as const],
      ),
    ],
  }
}

/** The entries as lines of CSV (RFC 4180) by their ids, page by page, with a header. Rights are its callers' to check. */
export async function* csvOfEntries(
  { stores }: Pick<Session, 'stores'>,
  wanted: ExportedEntries,
): AsyncGenerator<string> {
  yield lineOf(COLUMNS)
  for (let after = 0; ; ) {
    const { entries } = await stores.audit.find(conditionsOf(wanted, after), {
      order: [{ field: { column: 'id' }, isAscending: true }],
      limit: PAGE,
      offset: 0,
      countAtMost: 0,
    })
    const shown = entries.map(logEntryEntity)
    yield shown.map((entry) => lineOf(COLUMNS.map((column) => entry[column]))).join('')
    const last = entries.at(-1)
    if (!last || entries.length < PAGE) return
    after = last.id
  }
}
