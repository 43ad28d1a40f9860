/** What has happened, for those who ask later: which events are kept, what of them, and how they are found. */
export { auditPoint } from './audit-point.js'
export { csvOfEntries, type ExportedEntries } from './csv.js'
export { logEntriesEntity } from './entity.js'
export { entriesOf } from './entries.js'
export type { HappenedEvent } from './extended.js'
export { logEvent } from './log-event.js'
export { AUDIT_INDEXED, createAuditProjection } from './project.js'
export { documentHistory, runAuditProvider, runAuditQuery } from './providers.js'
