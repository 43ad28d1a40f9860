import { suggestion } from '../yaml/did-you-mean.js'
import type { JsonSchema } from '../yaml/json-schema.js'
import type { ElementForm } from './element-form.js'
import type { Report } from './report.js'
import { newPart, type XmlPart } from './xml-part.js'

type Reading = Pick<ElementForm, 'keys' | 'ignored' | 'text'> & { report: Report }

type Content = { [key: string]: unknown }

/** Attributes that name an entry of a map. */
const ENTRY_KEYS = ['name', 'key', 'id', 'xpath', 'lifeCycleState']

const alternativesOf = (schema: JsonSchema): readonly JsonSchema[] => {
  const branches = (schema.anyOf ?? schema.oneOf) as readonly JsonSchema[] | undefined
  return branches ? branches.flatMap(alternativesOf) : [schema]
}

const find = (schema: JsonSchema, is: (shape: JsonSchema) => boolean): JsonSchema | undefined =>
  alternativesOf(schema).find(is)

const isList = ({ type }: JsonSchema): boolean => type === 'array'
const isObject = ({ type, properties }: JsonSchema): boolean => type === 'object' && properties !== undefined
const isMap = ({ type, additionalProperties, properties }: JsonSchema): boolean =>
  type === 'object' && properties === undefined && typeof additionalProperties === 'object'
const isPlain = (schema: JsonSchema): boolean => !isList(schema) && !isObject(schema) && !isMap(schema)

const hasParts = ({ attributes, children }: XmlPart): boolean =>
  children.length > 0 || Object.keys(attributes).length > 0

/** A text by what is expected; one that does not fit stays a text, for the check of the content to refuse. */
const scalarOf = ({ text, attributes }: XmlPart, schema: JsonSchema): unknown => {
  const written = text === '' ? (attributes.name ?? attributes.value ?? '') : text
  const types = alternativesOf(schema).flatMap(({ type }) => type)
  if (written === '' && types.includes('null')) return null
  if (types.includes('boolean') && /^(true|false)$/i.test(written)) return /^true$/i.test(written)
  const isNumber = types.includes('number') || types.includes('integer')
  return isNumber && /^[+-]?\d+(\.\d+)?$/.test(written) ? Number(written) : written
}

const contentOf = (part: XmlPart, schema: JsonSchema, reading: Reading): unknown => {
  const list = find(schema, isList)
  if (list && (hasParts(part) || !find(schema, isPlain)))
    return itemsOf(part, list, { ...reading, isOwn: true })
  const object = find(schema, isObject)
  if (object && (hasParts(part) || !find(schema, isPlain))) return objectOf(part, object, reading)
  const map = find(schema, isMap)
  return map ? entriesOf(part, map, reading) : scalarOf(part, schema)
}

/** What an element adds to a list: itself, or when it is called like the list, what it holds. */
const itemsOf = (
  part: XmlPart,
  list: JsonSchema,
  { isOwn, ...reading }: Reading & { isOwn: boolean },
): unknown[] => {
  const items = (list.items ?? {}) as JsonSchema
  const gathers = part.children.length > 0 && Object.keys(part.attributes).length === 0
  if (gathers && (isOwn || !find(items, isObject)))
    return part.children.map((child) => contentOf(child, items, reading))
  if (isOwn && part.children.length === 0 && !hasParts(part))
    return part.text.split(',').flatMap((word) => word.trim() || [])
  return [contentOf(part, items, reading)]
}

/** What an element adds to a map: an entry that an attribute or its text names, or what it holds. */
const entriesOf = (part: XmlPart, map: JsonSchema, reading: Reading): Content => {
  const values = map.additionalProperties as JsonSchema
  const attribute = ENTRY_KEYS.find((name) => part.attributes[name] !== undefined)
  if (attribute !== undefined) {
    const { [attribute]: key = '', ...attributes } = part.attributes
    return { [key]: contentOf({ ...part, attributes }, values, reading) }
  }
  if (part.children.length > 0)
    return Object.assign({}, ...part.children.map((child) => entriesOf(child, map, reading)))
  return part.text === '' ? {} : { [part.text]: contentOf({ ...part, text: '' }, values, reading) }
}

/** An element of a list or a map is called like one of its entries. */
const keyOf = (
  name: string,
  properties: { [key: string]: JsonSchema },
  { keys = {} }: Reading,
): string | undefined => {
  if (Object.hasOwn(keys, name)) return keys[name]
  if (Object.hasOwn(properties, name)) return name
  return [`${name}s`, name.replace(/y$/, 'ies')].find((key) => {
    const schema = Object.hasOwn(properties, key) ? properties[key] : undefined
    return schema !== undefined && find(schema, (shape) => isList(shape) || isMap(shape)) !== undefined
  })
}

const joined = (earlier: unknown, later: unknown): unknown => {
  if (Array.isArray(earlier) && Array.isArray(later)) return [...earlier, ...later]
  const areMaps = [earlier, later].every((value) => typeof value === 'object' && value !== null)
  return areMaps ? { ...(earlier as Content), ...(later as Content) } : later
}

const objectOf = (part: XmlPart, object: JsonSchema, reading: Reading): Content => {
  const properties = object.properties as { [key: string]: JsonSchema }
  const { ignored = [], report } = reading
  const content: Content = {}
  const add = (key: string, child: XmlPart, within: { [key: string]: JsonSchema }): Content => {
    const [head = '', ...tail] = key.split('.')
    const schema = within[head] ?? {}
    const inner = find(schema, isObject)?.properties as { [key: string]: JsonSchema } | undefined
    if (tail.length > 0 && inner) return { [head]: add(tail.join('.'), child, inner) }
    const list = find(schema, isList)
    const isOwn = child.name === head
    return {
      [head]:
        list && hasOwnItems(child, schema)
          ? itemsOf(child, list, { ...reading, isOwn })
          : contentOf(child, schema, reading),
    }
  }
  const attributes = Object.entries(part.attributes).map(([name, text]) => newPart(name, part, { text }))
  for (const child of [...attributes, ...part.children]) {
    if (ignored.includes(child.name)) continue
    const key = keyOf(child.name, properties, reading)
    if (key === undefined) {
      const known = Object.keys(properties)
      report('', child.at, `unexpected "${child.name}" of <${part.name}>${suggestion(child.name, known)}`)
      continue
    }
    for (const [head, value] of Object.entries(add(key, child, properties)))
      content[head] = joined(content[head], value)
  }
  if (part.text === '') return content
  const { text } = reading
  if (text !== undefined && Object.hasOwn(properties, text))
    return { ...content, [text]: scalarOf(part, properties[text]!) }
  report('', part.at, `unexpected text inside <${part.name}>`)
  return content
}

/** A text that may stand for a whole list is taken as it is. */
const hasOwnItems = (child: XmlPart, schema: JsonSchema): boolean => hasParts(child) || !find(schema, isPlain)

/** The content that an element says in the regular form: keys as attributes or elements, lists as repeated elements. */
export const plainContent = (part: XmlPart, schema: JsonSchema, reading: Reading): object =>
  objectOf(part, schema, reading)
