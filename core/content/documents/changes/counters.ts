import type { ResolvedField } from '../../../model/content-model/index.js'
import { type DocumentRecord, getProperty, requireValid } from '../../../model/properties/index.js'
import { fail, requireAtomic } from '../../../platform/errors/index.js'
import { getDocument, requirePermission } from '../access/access.js'
import { documentEvent, emit } from '../events.js'
import type { Session } from '../session.js'
import { withoutProtected } from './dublincore.js'
import { onTarget } from './proxies.js'
import { staleDocument } from './stale.js'

/** A whole number to add to an integer property, negative to subtract (blobs-conversions.md, Delta). */
export type Delta = { xpath: string; by: number }

/**
 * Adds to integer properties of a document; a property without a value counts as 0. Concurrent additions
 * are all kept, and nobody's changeToken becomes stale: counting is no change of the content, so that it
 * neither checks out nor dates the document.
 *
 * @returns the document with the new values, read by `getProperty`.
 * @throws forbidden without `WriteProperties`; badRequest on a version, for what is no integer property, an item
 * that is not there, or a result beyond exact integers; invalid when a constraint is violated. Nothing is
 * written then.
 */
export const incrementProperties = async (
  session: Session,
  document: DocumentRecord,
  deltas: readonly Delta[],
): Promise<DocumentRecord> => {
  await requirePermission(session, document, 'WriteProperties')
  if (document.isProxy)
    return onTarget(session, document, (target) => incrementProperties(session, target, deltas))
  if (document.isVersion)
    throw fail('badRequest', `Document ${document.id} is a version: its properties are read-only`)
  const counters = deltas.map((delta) => ({ ...delta, resolved: requireCounter(session, document, delta) }))
  if (counters.length === 0) return document
  // Whether the sum violates a constraint is known once it is written: it is rolled back then.
  requireAtomic(session)
  const keys = [...new Set(counters.map(({ resolved }) => resolved.key))]
  const increments = counters.map(({ resolved, by }) => ({ path: [resolved.key, ...resolved.steps], by }))
  const counted = await session.stores.counters.increment(document.id, increments)
  if (!counted) throw await missing(session, document, deltas)
  requireExact(session, counted, deltas)
  const values = Object.fromEntries(keys.map((key) => [key, counted.properties[key] ?? null]))
  requireValid(values, session.model.schemasOf(counted.type, counted.facets), { isPartial: true })
  return emit(session, counted, [documentEvent('documentModified', counted, { properties: keys })])
}

const requireCounter = (
  session: Session,
  { type, facets }: DocumentRecord,
  { xpath, by }: Delta,
): ResolvedField => {
  const resolved = session.model.resolve(xpath)
  const isOwn = session.model.schemasOf(type, facets).some(({ name }) => name === resolved?.schema.name)
  if (!resolved || !isOwn) throw fail('badRequest', `Documents of type ${type} have no property '${xpath}'`)
  const isPlace = resolved.steps.every((step) => typeof step === 'number' || !step.startsWith('*'))
  const isInteger =
    resolved.field.type === 'long' && !resolved.field.isList && isPlace && !isInBlob(session, resolved)
  if (!isInteger) throw fail('badRequest', `${xpath}: is not an integer property and cannot be incremented`)
  if (Object.keys(withoutProtected(session, { [resolved.key]: null })).length === 0)
    throw fail('forbidden', `${xpath}: is read-only`)
  if (!Number.isSafeInteger(by)) throw fail('badRequest', `${xpath}: ${by} is not a whole number`)
  return resolved
}

/** The length of a blob follows from its bytes. */
const isInBlob = ({ model }: Session, { xpath, steps }: ResolvedField): boolean =>
  steps.length > 0 && model.resolve(xpath.slice(0, xpath.lastIndexOf('/')))?.field.type === 'blob'

const missing = async (
  session: Session,
  { id }: DocumentRecord,
  deltas: readonly Delta[],
): Promise<Error> => {
  // Removed, or no longer visible: this fails as any read does.
  const current = await getDocument(session, id)
  const absent = deltas.find(({ xpath }) => {
    const item = /^(.*\/\d+)(?:\/|$)/.exec(xpath)?.[1]
    return (
      item !== undefined && getProperty(current.properties, { model: session.model, xpath: item }) === null
    )
  })
  return absent ? fail('badRequest', `No item at ${absent.xpath}`) : staleDocument(id)
}

const requireExact = ({ model }: Session, { properties }: DocumentRecord, deltas: readonly Delta[]): void => {
  for (const { xpath } of deltas) {
    const value = getProperty(properties, { model, xpath })
    if (!Number.isSafeInteger(value)) throw fail('badRequest', `${xpath}: ${value} is too large to be exact`)
  }
}
