import { pagingFields } from '../../content/documents/index.js'
import type { LogEntry } from '../../content/stores/index.js'
import type { LogEntryPage } from './find.js'

/** An entry as clients see it, nulls included (workflow-audit.md §6). */
export const logEntryEntity = ({ eventDate, logDate, extended, ...entry }: LogEntry) => ({
  'entity-type': 'logEntry' as const,
  id: entry.id,
  category: entry.category,
  principalName: entry.principalName,
  comment: entry.comment,
  docLifeCycle: entry.docLifeCycle,
  docPath: entry.docPath,
  docType: entry.docType,
  docUUID: entry.docUUID,
  eventId: entry.eventId,
  repositoryId: entry.repositoryId,
  eventDate: eventDate.toISOString(),
  logDate: logDate.toISOString(),
  extended,
})

/** A page of entries with its paging fields. */
export const logEntriesEntity = (page: LogEntryPage) => ({
  'entity-type': 'logEntries' as const,
  ...pagingFields(page, { shown: page.entries.length, isSortable: true }),
  entries: page.entries.map(logEntryEntity),
})
