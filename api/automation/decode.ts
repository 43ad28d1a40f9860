import { type Value, type Variables, VOID, valueOfJson } from '../../core/automation/index.js'
import type { PropertyValue } from '../../core/documents/index.js'
import { fail } from '../../core/errors/index.js'

/** The body of an automation call as it is understood: input, parameters and context variables. */
export type AutomationRequest = {
  input: Value
  params: { [name: string]: PropertyValue }
  variables: Variables
}

type Json = { [key: string]: unknown }

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const splitRefs = (text: string): string[] =>
  text
    .split(',')
    .map((ref) => ref.trim())
    .filter((ref) => ref !== '')

/** `doc:` and `docs:` name documents; any other text, with or without a colon, stays text (automation.md §3). */
const decodeText = (text: string): Value => {
  if (text.startsWith('doc:')) return { type: 'document', id: text.slice(4).trim() }
  if (text.startsWith('docs:')) return { type: 'documents', ids: splitRefs(text.slice(5)), mustExist: true }
  return { type: 'string', value: text }
}

const entityPayload = (entity: Json): PropertyValue => {
  if ('value' in entity) return entity.value as PropertyValue
  const { 'entity-type': _type, ...payload } = entity
  return payload as PropertyValue
}

const decodeEntity = (entity: Json): Value => {
  const type = entity['entity-type']
  if (type === 'document') {
    if (typeof entity.uid !== 'string') throw fail('badRequest', 'input: a document entity needs a uid')
    return { type: 'document', id: entity.uid }
  }
  if (type === 'documents' && Array.isArray(entity.entries)) {
    const ids = entity.entries.filter(isObject).map((entry) => String(entry.uid))
    return { type: 'documents', ids, mustExist: true }
  }
  if (type === 'date') return { type: 'date', value: String(entityPayload(entity)) }
  return valueOfJson(entityPayload(entity))
}

const decodeInput = (input: unknown): Value => {
  if (input === undefined || input === null) return VOID
  if (typeof input === 'string') return decodeText(input)
  if (isObject(input) && typeof input['entity-type'] === 'string') return decodeEntity(input)
  return valueOfJson(input as PropertyValue)
}

/** A parameter keeps its JSON, but an entity stands for what it holds. */
const decodeParameter = (value: unknown): PropertyValue => {
  if (!isObject(value) || typeof value['entity-type'] !== 'string') return value as PropertyValue
  const decoded = decodeEntity(value)
  if (decoded.type === 'document') return decoded.id
  if (decoded.type === 'documents') return [...decoded.ids]
  return decoded.type === 'void' ? null : ((decoded as { value: PropertyValue }).value ?? null)
}

const requireObject = (value: unknown, field: string): Json => {
  if (value === undefined || value === null) return {}
  if (!isObject(value)) throw fail('badRequest', `${field}: an object is expected`)
  return value
}

/** `__proto__` and its like are data, never prototypes. */
const entriesOf = (value: unknown, field: string): [string, unknown][] =>
  Object.entries(requireObject(value, field)).filter(([name]) => name !== '__proto__')

/**
 * Reads the JSON of a call (automation.md §3). A null parameter is absent; context variables that name
 * documents with `doc:` are documents.
 *
 * @throws badRequest naming the field that is not what it should be.
 */
export const decodeRequest = (body: unknown): AutomationRequest => {
  const json = requireObject(body, 'body')
  const params = entriesOf(json.params, 'params').filter(([, value]) => value !== null)
  const context = entriesOf(json.context, 'context')
  return {
    input: decodeInput(json.input),
    params: Object.fromEntries(params.map(([name, value]) => [name, decodeParameter(value)])),
    variables: Object.fromEntries(context.map(([name, value]) => [name, decodeInput(value)])),
  }
}
