import { hasPermission, hostDocument, type Session } from '../../../content/documents/index.js'
import type { DocumentRecord } from '../../../model/properties/index.js'
import { isArchivoltError } from '../../../platform/errors/index.js'
import { expressionSource, type RouteModel } from '../model/index.js'

/** Whether a principal may start a model on a document; a filter that cannot be evaluated refuses. */
export const isRunnableOn = async (
  session: Session,
  { availabilityFilter, permission }: RouteModel,
  document: DocumentRecord,
): Promise<boolean> => {
  if (!(await hasPermission(session, document, permission))) return false
  if (availabilityFilter === undefined) return true
  const seen = hostDocument(session, document)
  const { principal, now } = session
  try {
    const found = await session.expressions.evaluate(expressionSource(availabilityFilter), {
      ...{ document: seen, documents: [seen], input: [seen], variables: {}, principal, now, env: {} },
    })
    return found === true
  } catch (error) {
    if (isArchivoltError(error) && !error.retryable) return false
    throw error
  }
}
