import {
  type DocumentRecord,
  getProperty,
  isBlobValue,
  type OnBlob,
  type Properties,
  type PropertyValue,
  readProperty,
  setProperty,
} from '../../model/properties/index.js'
import { fail, isArchivoltError } from '../../platform/errors/index.js'
import type { ExpressionEngine } from '../../platform/sandbox/expressions/index.js'
import type { Session } from '../documents/index.js'
import type { FieldType } from './adapters-point.js'
import { evaluateOn } from './evaluate.js'
import { readObject } from './read-object.js'
import type { BusinessAdapter, BusinessField } from './types.js'

type PropertyField = Extract<BusinessField, { kind: 'property' }>

const IS_TYPE: { [type in FieldType]: (json: unknown) => boolean } = {
  string: (json) => typeof json === 'string',
  long: (json) => Number.isSafeInteger(json),
  double: (json) => typeof json === 'number',
  boolean: (json) => typeof json === 'boolean',
  date: (json) => typeof json === 'string',
  blob: (json) => typeof json === 'object',
  object: (json) => typeof json === 'object' && !Array.isArray(json),
  list: (json) => Array.isArray(json),
}

/** A value that was read from the document's object and is sent back unchanged: no blob is looked up for it. */
const isSameBlob = (json: unknown, stored: PropertyValue): boolean =>
  isBlobValue(stored) &&
  typeof json === 'object' &&
  json !== null &&
  'digest' in json &&
  json.digest === stored.digest &&
  !('upload-batch' in json)

const readField = async (
  json: unknown,
  field: PropertyField,
  { session, document, onBlob }: WriteContext,
): Promise<PropertyValue> => {
  const { model } = session
  const resolved = model.resolve(field.xpath)
  if (!resolved) throw fail('badRequest', `value.${field.name}: no schema has the property ${field.xpath}`)
  const wrongType = (cause?: unknown) =>
    fail(
      'badRequest',
      `value.${field.name}: a value of type ${field.type ?? typeName(resolved.field)} is expected`,
      {
        cause,
      },
    )
  if (json !== null && field.type !== undefined && !IS_TYPE[field.type](json)) throw wrongType()
  const stored = getProperty(document.properties, { model, xpath: field.xpath }) ?? null
  if (isSameBlob(json, stored)) return stored
  try {
    return await readProperty(json, { field: resolved.field, xpath: field.xpath, ...(onBlob && { onBlob }) })
  } catch (error) {
    if (isArchivoltError(error) && error.message.startsWith('Unable to deserialize')) throw wrongType(error)
    throw error
  }
}

const typeName = ({ type, isList }: { type: string; isList: boolean }): string =>
  `${type}${isList ? '[]' : ''}`

const withoutDerived = (adapter: BusinessAdapter): BusinessAdapter => ({
  ...adapter,
  fields: adapter.fields.filter(({ kind }) => kind === 'property'),
})

export type WriteContext = {
  session: Session
  adapter: BusinessAdapter
  expressions: ExpressionEngine
  /** The document as it is, or as it is about to be created. */
  document: DocumentRecord
  onBlob?: OnBlob | undefined
}

/**
 * The properties that an object's fields stand for. Absent fields leave their properties alone; read-only and
 * derived fields are ignored, so that an object may be sent back as it was read.
 *
 * @throws badRequest naming a field that the adapter does not have, or that is of a wrong type.
 */
export const writeObject = async (
  value: { [field: string]: unknown },
  context: WriteContext,
): Promise<Properties> => {
  const { session, adapter, expressions, document } = context
  const { model } = session
  let properties = document.properties
  const changed = new Set<string>()
  const set = (xpath: string, json: PropertyValue): void => {
    properties = setProperty(properties, { model, xpath, value: json })
    const key = model.resolve(xpath)?.key
    if (key !== undefined) changed.add(key)
  }
  for (const [name, json] of Object.entries(value)) {
    if (name === 'id' || name === 'type') continue
    const field = adapter.fields.find((candidate) => candidate.name === name)
    if (!field) throw fail('badRequest', `value.${name}: ${adapter.name} has no such field`)
    if (field.kind === 'derived' || field.isReadOnly) continue
    set(field.xpath, await readField(json ?? null, field, context))
  }
  for (const [xpath, expression] of Object.entries(adapter.onWrite)) {
    const written = { ...document, properties }
    const { value: object } = await readObject(written, {
      session,
      adapter: withoutDerived(adapter),
      expressions,
    })
    set(
      xpath,
      await evaluateOn(expressions, expression, {
        session,
        document: written,
        value: object,
        name: `onWrite.${xpath}`,
      }),
    )
  }
  return Object.fromEntries([...changed].map((key) => [key, properties[key] ?? null]))
}
