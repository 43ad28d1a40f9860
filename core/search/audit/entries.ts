import { IDENTITY_EVENTS } from '../../access/identity/index.js'
import type { Session } from '../../content/documents/index.js'
import type { NewLogEntry } from '../../content/stores/index.js'
import type { DocumentRecord } from '../../model/properties/index.js'
import type { JsonValue } from '../../platform/events/index.js'
import { auditPoint } from './audit-point.js'
import { extendedOf, type HappenedEvent, type OnFailure } from './extended.js'
import { LOGGED_EVENT } from './log-event.js'

const DOCUMENT_CATEGORY = 'eventDocumentCategory'

/** Of events that do not say themselves what they are. */
const categoryOf = ({ event, documentId }: HappenedEvent): string | null => {
  if (event === 'lifecycle_transition_event') return 'eventLifeCycleCategory'
  if (IDENTITY_EVENTS.has(event)) return 'userGroup'
  return documentId === null ? null : DOCUMENT_CATEGORY
}

const GONE = 'Document does not exist anymore!'

const text = (value: JsonValue | undefined): string | null =>
  typeof value === 'string' && value !== '' ? value : null

const isHidden = (
  { model }: Session,
  { payload }: HappenedEvent,
  document: DocumentRecord | undefined,
): boolean => {
  const type = document?.type ?? text(payload.type)
  if (type === null) return false
  const facets = model.facetsOf(type, document?.facets ?? [])
  return facets.includes('SystemDocument') && !facets.includes('ForceAudit')
}

const isOfDocument = ({ documentId, payload }: HappenedEvent): boolean =>
  documentId !== null && payload.systemToken !== undefined

/**
 * The entries of what has happened, in its order: of the events that contributions name, and of those that were
 * logged explicitly. What documents of the system go through is left out (workflow-audit.md §6).
 *
 * @param session reads documents as they are now.
 */
export const entriesOf = async (
  session: Session,
  events: readonly HappenedEvent[],
  onFailure: OnFailure,
): Promise<NewLogEntry[]> => {
  const points = session.contributions.get(auditPoint)
  const audited = events.filter(
    ({ event, payload }) =>
      event === LOGGED_EVENT || (points.get(event)?.enabled && payload.disableAuditLogger !== true),
  )
  const ids = new Set(audited.flatMap((event) => (isOfDocument(event) ? [event.documentId!] : [])))
  const found = ids.size === 0 ? [] : await session.stores.documents.getMany([...ids])
  const documents = new Map(found.map((document) => [document.id, document]))

  const entryOf = async (event: HappenedEvent): Promise<NewLogEntry[]> => {
    const { payload } = event
    const isLogged = event.event === LOGGED_EVENT
    const document = event.documentId === null ? undefined : documents.get(event.documentId)
    if (!isLogged && isHidden(session, event, document)) return []
    return [
      {
        eventId: isLogged ? String(payload.eventId) : event.event,
        category: text(payload.category) ?? categoryOf(event),
        principalName: event.principal,
        comment: text(payload.comment) ?? (isOfDocument(event) && !document ? GONE : null),
        docLifeCycle: text(payload.lifecycleState),
        docPath: text(payload.path),
        docType: text(payload.type),
        docUUID: event.documentId,
        repositoryId: event.documentId === null ? null : session.repository,
        eventDate: event.createdAt,
        extended: await extendedOf(session, { event, document, audited: points.get(event.event) }, onFailure),
      },
    ]
  }
  const entries: NewLogEntry[] = []
  for (const event of audited) entries.push(...(await entryOf(event)))
  return entries
}
