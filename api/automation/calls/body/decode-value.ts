import {
  commaList,
  MAX_NAMED_DOCUMENTS,
  type Value,
  VOID,
  valueOfJson,
} from '../../../../core/automation/language/index.js'
import type { PropertyValue } from '../../../../core/model/properties/index.js'
import { fail } from '../../../../core/platform/errors/index.js'
import { requireStorable } from './storable.js'

export type Json = { [key: string]: unknown }

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** @throws tooLarge for more than a call may have. */
export const requireWithinLimit = (
  list: readonly unknown[],
  { field, limit }: { field: string; limit: number },
): void => {
  if (list.length > limit) throw fail('tooLarge', `${field}: has more than ${limit} entries`)
}

/** `doc:` and `docs:` name documents; any other text, with or without a colon, stays text (reference: automation.md §3). */
const decodeText = (text: string, field: string): Value => {
  if (text.startsWith('doc:')) {
    const id = text.slice(4).trim()
    if (id === '') throw fail('badRequest', `${field}: doc: must be followed by an id or a path`)
    return { type: 'document', id }
  }
  if (text.startsWith('docs:')) {
    const ids = commaList(text.slice(5), { name: field, limit: MAX_NAMED_DOCUMENTS })
    return { type: 'documents', ids, mustExist: true }
  }
  return { type: 'string', value: text }
}

const entityPayload = (entity: Json): PropertyValue => {
  if ('value' in entity) return entity.value as PropertyValue
  const { 'entity-type': _type, ...payload } = entity
  return payload as PropertyValue
}

const uidOf = (entity: unknown, field: string): string => {
  const uid = isObject(entity) ? entity.uid : undefined
  if (typeof uid !== 'string' || uid.trim() === '')
    throw fail('badRequest', `${field}: a document entity needs a uid, a text that is not empty`)
  return uid
}

const uidsOf = ({ entries }: Json, field: string): string[] => {
  if (!Array.isArray(entries))
    throw fail('badRequest', `${field}: a documents entity needs a list of entries`)
  requireWithinLimit(entries, { field, limit: MAX_NAMED_DOCUMENTS })
  return entries.map((entry, position) => uidOf(entry, `${field}.entries[${position}]`))
}

/** Entities that are decoded to their value alone (reference: automation.md §3). */
const PLAIN = [
  'string',
  'boolean',
  'number',
  'integer',
  'long',
  'double',
  'date',
  'list',
  'map',
  'orderedMap',
  'object',
]

/** A document that nobody has saved yet has a type, and no uid. */
const isUnsaved = ({ uid, type }: Json): boolean =>
  (uid === undefined || uid === null) && typeof type === 'string' && type.trim() !== ''

const decodeEntity = (entity: Json, field: string): Value => {
  const type = entity['entity-type']
  if (type === 'document' && isUnsaved(entity))
    return {
      type: 'entity',
      entityType: type,
      value: entityPayload(entity) as { [field: string]: PropertyValue },
    }
  if (type === 'document') return { type, id: uidOf(entity, field) }
  if (type === 'documents') return { type, ids: uidsOf(entity, field), mustExist: true }
  const value = entityPayload(entity)
  if (!PLAIN.includes(String(type)) && 'value' in entity && isObject(value))
    return { type: 'entity', entityType: String(type), value: value as { [field: string]: PropertyValue } }
  if (type !== 'date') return valueOfJson(value)
  if (typeof value !== 'string') throw fail('badRequest', `${field}: a date entity needs a text as its value`)
  return { type, value }
}

/** Decodes the input of a call, or one of its variables. @throws badRequest, tooLarge naming the field. */
export const decodeInput = (input: unknown, field: string): Value => {
  if (input === undefined || input === null) return VOID
  requireStorable(input, field)
  if (typeof input === 'string') return decodeText(input, field)
  if (isObject(input) && typeof input['entity-type'] === 'string') return decodeEntity(input, field)
  return valueOfJson(input as PropertyValue)
}

/** A parameter keeps its JSON, but an entity is decoded to its value. */
export const decodeParameter = (value: unknown, field: string): PropertyValue => {
  requireStorable(value, field)
  if (!isObject(value) || typeof value['entity-type'] !== 'string') return value as PropertyValue
  const decoded = decodeEntity(value, field)
  if (decoded.type === 'document') return decoded.id
  if (decoded.type === 'documents') return [...decoded.ids]
  return decoded.type === 'void' ? null : ((decoded as { value: PropertyValue }).value ?? null)
}
