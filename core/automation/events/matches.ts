import { hostDocument, type Session } from '../../content/documents/index.js'
import type { DocumentRecord, PropertyValue } from '../../model/properties/index.js'
import type { CoreEvent } from '../../platform/events/index.js'
import { bareSource } from '../../platform/sandbox/expressions/index.js'
import type { ATTRIBUTES, EventFilters } from './filters.js'

/** What a chain, and the conditions of its handler, know of an event as `Event`. */
export type EventValue = { [field: string]: PropertyValue }

export const eventValue = (
  { principal, now }: Session,
  { event, documentId, payload }: CoreEvent,
): EventValue => ({
  name: event,
  documentId,
  principal: principal.name,
  time: now.toISOString(),
  properties: payload,
})

const isLink = ({ isProxy, proxyTargetId, proxyVersionSeriesId }: DocumentRecord): boolean =>
  isProxy && proxyTargetId === proxyVersionSeriesId

const isImmutable = (document: DocumentRecord): boolean =>
  document.isVersion || (document.isProxy && !isLink(document))

const HAS: { readonly [attribute in (typeof ATTRIBUTES)[number]]: (document: DocumentRecord) => boolean } = {
  Any: () => true,
  'Regular Document': ({ isProxy, isVersion }) => !isProxy && !isVersion,
  'Document Link': isLink,
  'Published Document': (document) => document.isProxy && !isLink(document),
  'Document Proxy': ({ isProxy }) => isProxy,
  'Document Version': ({ isVersion }) => isVersion,
  'Immutable Document': isImmutable,
  'Mutable Document': (document) => !isImmutable(document),
}

const holdsForDocument = (
  { model }: Session,
  { doctype, facet, lifeCycle, pathStartsWith, attribute }: EventFilters,
  document: DocumentRecord | null,
): boolean => {
  if (!document)
    return doctype.length + lifeCycle.length === 0 && !facet && !pathStartsWith && attribute === 'Any'
  const { type, facets, lifecycleState, path } = document
  if (doctype.length > 0 && !doctype.includes(type)) return false
  if (facet !== undefined && !model.facetsOf(type, facets).includes(facet)) return false
  if (lifeCycle.length > 0 && !lifeCycle.includes(lifecycleState ?? '')) return false
  if (pathStartsWith !== undefined && !path?.startsWith(pathStartsWith)) return false
  return HAS[attribute](document)
}

const holdsForUser = ({ principal }: Session, { group, isAdministrator }: EventFilters): boolean =>
  (group.length === 0 || group.some((name) => principal.groups.includes(name))) &&
  (isAdministrator === undefined || isAdministrator === principal.isAdministrator)

const isTrue = async (
  session: Session,
  expression: string,
  { document, event }: { document: DocumentRecord | null; event: EventValue },
): Promise<boolean> => {
  const { principal, now, expressions } = session
  const host = document && hostDocument(session, document)
  const value = await expressions.evaluate(bareSource(expression), {
    ...(host && { document: host }),
    input: host,
    variables: { Event: event },
    principal,
    now,
    env: {},
  })
  return value === true || value === 'true'
}

/**
 * Whether all filters of a handler hold for an event.
 *
 * @throws badRequest for a condition that cannot be evaluated.
 */
export const matches = async (
  session: Session,
  handler: EventFilters,
  about: { document: DocumentRecord | null; event: EventValue },
): Promise<boolean> =>
  holdsForUser(session, handler) &&
  holdsForDocument(session, handler, about.document) &&
  (handler.condition === undefined || (await isTrue(session, handler.condition, about))) &&
  (handler.expression === undefined || !(await isTrue(session, handler.expression, about)))
