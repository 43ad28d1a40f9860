import {
  type BlobUrl,
  type DocumentRecord,
  getProperty,
  type PropertyValue,
  writeProperty,
} from '../../model/properties/index.js'
import type { ExpressionEngine } from '../../platform/sandbox/expressions/index.js'
import type { Session } from '../documents/index.js'
import { evaluateOn } from './evaluate.js'
import type { BusinessAdapter, BusinessObject } from './types.js'

const propertyJson = (
  session: Session,
  document: DocumentRecord,
  { xpath, blobUrl }: { xpath: string; blobUrl: BlobUrl | undefined },
): PropertyValue => {
  const { model } = session
  const field = model.resolve(xpath)?.field
  const value = getProperty(document.properties, { model, xpath }) ?? null
  return field ? writeProperty(field, value, { xpath, blobUrl }) : value
}

/**
 * The object of a document.
 *
 * @param blobUrl absent where files cannot be downloaded: they are then described without an address.
 * @throws badRequest when an expression of the adapter fails.
 */
export const readObject = async (
  document: DocumentRecord,
  {
    session,
    adapter,
    expressions,
    blobUrl,
  }: {
    session: Session
    adapter: BusinessAdapter
    expressions: ExpressionEngine
    blobUrl?: BlobUrl | undefined
  },
): Promise<BusinessObject> => {
  const value: BusinessObject['value'] = { id: document.id, type: document.type }
  for (const field of adapter.fields) {
    value[field.name] =
      field.kind === 'property'
        ? propertyJson(session, document, { xpath: field.xpath, blobUrl })
        : await evaluateOn(expressions, field.expression, { session, document, value, name: field.name })
  }
  return { 'entity-type': adapter.name, value }
}
