import type { DocumentRecord, PropertyValue } from '../../model/properties/index.js'
import { fail, isArchivoltError } from '../../platform/errors/index.js'
import type { ExpressionEngine } from '../../platform/sandbox/expressions/index.js'
import { hostDocument, type Session } from '../documents/index.js'

/** The value of an expression as JSON: dates are ISO texts, documents their ids. */
const plain = (value: unknown): PropertyValue => {
  if (value === null || value === undefined) return null
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object') return value as PropertyValue
  if ('documentRef' in value) return String(value.documentRef)
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, plain(part)]))
}

/**
 * Evaluates an expression of an adapter with `Document` and `This`, the object.
 *
 * @throws badRequest naming what the expression is for.
 */
export const evaluateOn = async (
  expressions: ExpressionEngine,
  source: string,
  {
    session,
    document,
    value,
    name,
  }: { session: Session; document: DocumentRecord; value: PropertyValue; name: string },
): Promise<PropertyValue> => {
  const { principal, now } = session
  try {
    return plain(
      await expressions.evaluate(source, {
        document: hostDocument(session, document),
        input: value,
        variables: {},
        principal,
        now,
        env: {},
      }),
    )
  } catch (error) {
    if (!isArchivoltError(error)) throw error
    throw fail(error.code, `${name}: ${error.message}`, { cause: error, details: error.details })
  }
}
