import { type Value, VOID, valueOfJson } from '../../core/automation/language/index.js'
import type { RunRequest } from '../../core/automation/planning/index.js'
import type { PropertyValue } from '../../core/model/properties/index.js'
import { fail } from '../../core/platform/errors/index.js'
import { parseInput } from '../parse/index.js'
import { callRequest } from './automation.schema.js'
import { requireStorable } from './storable.js'

/** The body of an automation call as it is understood: input, parameters and context variables. */

type Json = { [key: string]: unknown }

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const splitRefs = (text: string): string[] =>
  text
    .split(',')
    .map((ref) => ref.trim())
    .filter((ref) => ref !== '')

/** `doc:` and `docs:` name documents; any other text, with or without a colon, stays text (automation.md §3). */
/** Documents, parameters or variables that one call may name: each costs a look-up, or a check. */
const MOST = 10_000

const requireFew = (list: readonly unknown[], field: string): void => {
  if (list.length > MOST)
    throw fail('tooLarge', `${field}: ${list.length} are named, and ${MOST} are possible in one call`)
}

const decodeText = (text: string, field: string): Value => {
  if (text.startsWith('doc:')) {
    const id = text.slice(4).trim()
    if (id === '') throw fail('badRequest', `${field}: doc: must be followed by an id or a path`)
    return { type: 'document', id }
  }
  if (text.startsWith('docs:')) {
    const ids = splitRefs(text.slice(5))
    requireFew(ids, field)
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
  return entries.map((entry, position) => uidOf(entry, `${field}.entries[${position}]`))
}

/** Entities that stand for nothing but their value (automation.md §3). */
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

const decodeEntity = (entity: Json, field: string): Value => {
  const type = entity['entity-type']
  if (type === 'document') return { type, id: uidOf(entity, field) }
  if (type === 'documents') return { type, ids: uidsOf(entity, field), mustExist: true }
  const value = entityPayload(entity)
  if (!PLAIN.includes(String(type)) && 'value' in entity && isObject(value))
    return { type: 'entity', entityType: String(type), value: value as { [field: string]: PropertyValue } }
  if (type !== 'date') return valueOfJson(value)
  if (typeof value !== 'string') throw fail('badRequest', `${field}: a date entity needs a text as its value`)
  return { type, value }
}

const decodeInput = (input: unknown, field: string): Value => {
  if (input === undefined || input === null) return VOID
  requireStorable(input, field)
  if (typeof input === 'string') return decodeText(input, field)
  if (isObject(input) && typeof input['entity-type'] === 'string') return decodeEntity(input, field)
  return valueOfJson(input as PropertyValue)
}

/** A parameter keeps its JSON, but an entity stands for what it holds. */
const decodeParameter = (value: unknown, field: string): PropertyValue => {
  requireStorable(value, field)
  if (!isObject(value) || typeof value['entity-type'] !== 'string') return value as PropertyValue
  const decoded = decodeEntity(value, field)
  if (decoded.type === 'document') return decoded.id
  if (decoded.type === 'documents') return [...decoded.ids]
  return decoded.type === 'void' ? null : ((decoded as { value: PropertyValue }).value ?? null)
}

/** The named values of a field; `__proto__` and its like are data, never prototypes. */
const decodeEach = <Decoded>(
  values: Json,
  field: string,
  decode: (value: unknown, field: string) => Decoded,
): { [name: string]: Decoded } => {
  const entries = Object.entries(values).filter(([name]) => name !== '__proto__')
  return Object.fromEntries(
    entries.map(([name, inner]) => {
      requireStorable(name, field)
      return [name, decode(inner, `${field}.${name}`)]
    }),
  )
}

/**
 * Reads the JSON of a call (automation.md §3). A null parameter is absent; context variables that name
 * documents with `doc:` are documents.
 *
 * @throws badRequest naming the field that is not what it should be, tooLarge one that holds too many.
 */
export const decodeRequest = (body: unknown): RunRequest => {
  if (isObject(body))
    for (const field of ['params', 'context'])
      if (isObject(body[field])) requireFew(Object.keys(body[field]), field)
  const { input, params: sent, context } = parseInput(callRequest, body) ?? {}
  const params = decodeEach(sent ?? {}, 'params', decodeParameter)
  return {
    input: decodeInput(input, 'input'),
    params: Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null)),
    variables: decodeEach(context ?? {}, 'context', decodeInput),
  }
}

/** Schemas that the body of a call asks for, as older clients do instead of by a header; of a body that can be read. */
export const documentPropertiesOf = (body: unknown): string | undefined => {
  const asked = isObject(body) ? body.documentProperties : undefined
  return typeof asked === 'string' ? asked : undefined
}

/** Called by its prefix, `Chain.<id>`, a chain finds its parameters among the context variables too (automation.md §1). */
export const withFlatParameters = (id: string, request: RunRequest): RunRequest => {
  if (!id.startsWith('Chain.')) return request
  const flat = Object.entries(request.params).map(([name, value]) => [name, valueOfJson(value)] as const)
  return { ...request, variables: { ...Object.fromEntries(flat), ...request.variables } }
}
