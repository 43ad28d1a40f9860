import type { DocumentRecord, Properties } from '../../../model/properties/index.js'
import type { CoreEvent } from '../../../platform/events/index.js'
import type { DocumentChange } from '../../stores/index.js'
import { documentEvent } from '../events.js'
import type { Session } from '../session.js'

/** States that a document leaves when it is changed after it was checked in (workflow-audit.md §5). */
const FINISHED = new Set(['approved', 'obsolete'])
const BACK = 'backToProject'

export type CheckOutChange = {
  columns: NonNullable<DocumentChange['columns']>
  properties: Properties
  events: CoreEvent[]
}

/** The schema `uid` shows the number to clients that read properties instead of labels. */
export const numberProperties = (
  session: Session,
  { type, facets }: DocumentRecord,
  { majorVersion, minorVersion }: { majorVersion: number; minorVersion: number },
): Properties =>
  session.model.schemasOf(type, facets).some((schema) => schema.name === 'uid')
    ? { 'uid:major_version': majorVersion, 'uid:minor_version': minorVersion }
    : {}

/** After an older version was restored, the next one counts on from the latest. */
const latestNumber = async (
  session: Session,
  document: DocumentRecord,
): Promise<CheckOutChange['columns']> => {
  const latest = await session.stores.versions.latest(document.id)
  if (!latest || latest.id === document.baseVersionId) return {}
  return { majorVersion: latest.majorVersion, minorVersion: latest.minorVersion }
}

const backToProject = (session: Session, document: DocumentRecord): string | undefined => {
  if (!FINISHED.has(document.lifecycleState ?? '')) return undefined
  const lifecycle = session.model.lifecycles.get(session.model.types.get(document.type)?.lifecycle ?? '')
  const leaving = lifecycle?.states.get(document.lifecycleState ?? '')?.transitions ?? []
  return leaving.includes(BACK) ? lifecycle?.transitions.get(BACK)?.to : undefined
}

/**
 * The change that checks a document out; undefined when it is checked out already.
 *
 * @param isSave whether this comes with new contents, which take a finished document back to its first state.
 */
export const checkOutChange = async (
  session: Session,
  document: DocumentRecord,
  { isSave = false }: { isSave?: boolean } = {},
): Promise<CheckOutChange> => {
  if (!document.isCheckedIn || document.isVersion) return { columns: {}, properties: {}, events: [] }
  const number = await latestNumber(session, document)
  const state = isSave ? backToProject(session, document) : undefined
  return {
    columns: { isCheckedIn: false, ...number, ...(state !== undefined && { lifecycleState: state }) },
    properties:
      number.majorVersion === undefined
        ? {}
        : numberProperties(session, document, { ...document, ...number }),
    events: [
      documentEvent('documentCheckedOut', document),
      ...(state === undefined
        ? []
        : [transitionEvent(document, { transition: BACK, to: state, comment: null })]),
    ],
  }
}

/** A document's way along a transition of its life cycle, as listeners and the audit see it. */
export const transitionEvent = (
  document: DocumentRecord,
  { transition, to, comment }: { transition: string; to: string; comment: string | null },
): CoreEvent =>
  documentEvent('lifecycle_transition_event', document, {
    lifecycleState: to,
    category: 'eventLifeCycleCategory',
    transition,
    from: document.lifecycleState,
    to,
    comment,
  })
