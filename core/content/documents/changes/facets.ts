import { type DocumentRecord, defaultProperties, type Properties } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import { requireAuditStays } from '../access/audited-facets.js'
import { requireNoWorkflowDocument } from '../access/workflow-documents.js'
import type { Session } from '../session.js'

/** What a document has with other facets than before: the facets of its own, and properties to set or clear. */
export type FacetChange = { facets: readonly string[]; properties: Properties }

/**
 * One facet more on a document, with the defaults of the schemas that it brings; undefined when the document or
 * its type has it.
 *
 * @throws badRequest for a facet that nobody has declared, forbidden for one of tasks or routes, or that decides what the audit keeps.
 */
export const addedFacet = (
  session: Session,
  { type, facets }: DocumentRecord,
  facet: string,
): FacetChange | undefined => {
  const { model } = session
  if (!model.facets.has(facet)) throw fail('badRequest', `facet: unknown facet '${facet}'`)
  if (model.facetsOf(type, facets).includes(facet)) return undefined
  requireNoWorkflowDocument(session, { type, facets: [facet] })
  requireAuditStays(session, [facet])
  const known = new Set(model.schemasOf(type, facets).map(({ name }) => name))
  const added = [...facets, facet]
  const brought = model.schemasOf(type, added).filter(({ name }) => !known.has(name))
  return { facets: added, properties: defaultProperties(brought) }
}

/**
 * One facet less, without the properties that only its schemas had; undefined when the document does not have
 * it, or has it by its type.
 *
 * @throws forbidden for one that decides what the audit keeps.
 */
export const removedFacet = (
  session: Session,
  { type, facets, properties }: DocumentRecord,
  facet: string,
): FacetChange | undefined => {
  const { model } = session
  if (!facets.includes(facet)) return undefined
  requireAuditStays(session, [facet])
  const kept = facets.filter((name) => name !== facet)
  const remaining = new Set(model.schemasOf(type, kept).map(({ name }) => name))
  const gone = model.schemasOf(type, facets).filter(({ name }) => !remaining.has(name))
  const keys = gone.flatMap(({ prefix, fields }) => [...fields.keys()].map((field) => `${prefix}:${field}`))
  return {
    facets: kept,
    properties: Object.fromEntries(keys.filter((key) => key in properties).map((key) => [key, null])),
  }
}
