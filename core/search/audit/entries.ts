import { IDENTITY_EVENTS } from '../../access/identity/index.js'
import type { Session } from '../../content/documents/index.js'
import type { NewLogEntry } from '../../content/stores/index.js'
import type { DocumentRecord } from '../../model/properties/index.js'
import type { JsonValue } from '../../platform/events/index.js'
import { shortened } from '../../platform/limits/index.js'
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

/** What is said of events after which a document can no longer be read (workflow-audit.md §6). */
const GONE = 'Document does not exist anymore!'
const REMOVALS: ReadonlySet<string> = new Set(['documentRemoved', 'versionRemoved', 'proxyRemoved'])

/** Entries are listed by the thousand: each has to be small. */
const MAX_TEXT = 4_000

const text = (value: JsonValue | undefined): string | null =>
  typeof value === 'string' && value !== '' ? shortened(value, MAX_TEXT) : null

const isHidden = ({ model }: Session, { payload: { type, facets: own } }: HappenedEvent): boolean => {
  if (typeof type !== 'string') return false
  const facets = model.facetsOf(type, Array.isArray(own) ? own.map(String) : [])
  return facets.includes('SystemDocument') && !facets.includes('ForceAudit')
}

/**
 * The entries of what has happened, in its order: of the events that contributions name, and of those that were
 * logged explicitly. What documents of the system go through is left out (workflow-audit.md §6).
 *
 * @param session reads the documents of expressions, as they are now.
 */
export const entriesOf = async (
  session: Session,
  events: readonly HappenedEvent[],
  onFailure: OnFailure,
): Promise<NewLogEntry[]> => {
  const points = session.contributions.get(auditPoint)
  const audited = events.filter(
    (happened) =>
      happened.event === LOGGED_EVENT ||
      (points.get(happened.event)?.enabled &&
        happened.payload.disableAuditLogger !== true &&
        !isHidden(session, happened)),
  )
  const isEvaluated = ({ event }: Pick<HappenedEvent, 'event'>): boolean =>
    Object.keys(points.get(event)?.extendedInfos ?? {}).length > 0
  const ids = new Set(audited.filter(isEvaluated).flatMap(({ documentId }) => documentId ?? []))
  const { documents } = session.stores
  const small = ids.size === 0 ? [] : await documents.getMany([...ids], { areSmall: true })
  const found = new Map(small.map((document) => [document.id, document]))
  /** Large ones come one by one: whoever makes them must not keep the audit from going on. */
  const documentOf = async ({ event, documentId }: HappenedEvent): Promise<DocumentRecord | undefined> =>
    documentId !== null && isEvaluated({ event })
      ? (found.get(documentId) ?? (await documents.get(documentId)))
      : undefined

  const entryOf = async (happened: HappenedEvent): Promise<NewLogEntry> => {
    const { event, documentId, payload, principal, createdAt } = happened
    const document = await documentOf(happened)
    return {
      eventId: event === LOGGED_EVENT ? String(payload.eventId) : event,
      category: text(payload.category) ?? categoryOf(happened),
      principalName: principal,
      comment: text(payload.comment) ?? (REMOVALS.has(event) ? GONE : null),
      docLifeCycle: text(payload.lifecycleState),
      docPath: text(payload.path),
      docType: text(payload.type),
      docUUID: documentId,
      repositoryId: documentId === null ? null : session.repository,
      eventDate: createdAt,
      extended: await extendedOf(
        session,
        { event: happened, document, audited: points.get(event) },
        onFailure,
      ),
    }
  }
  const entries: NewLogEntry[] = []
  for (const event of audited) entries.push(await entryOf(event))
  return entries
}
