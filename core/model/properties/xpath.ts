import { fail } from '../../platform/errors/index.js'
import type { ContentModel, ResolvedField } from '../content-model/index.js'
import type { Properties, PropertyValue } from './types.js'
import { isBlobValue } from './values/blob-value.js'
import { type ReadContext, readValue, requireElements, undeserializable } from './values/read-value.js'

type Step = string | number

export type At = { model: ContentModel; xpath: string }

type SetAt = At & { value: PropertyValue }

/** Properties that are set one after the other. */
export type PropertyChanges = {
  changes: Properties
  /** @throws badRequest as `setProperty`. */
  set(xpath: string, value: PropertyValue): void
}

/** Lists and maps that are copies already, and so may be written. */
type Copies = WeakSet<object>

/**
 * The value at an xpath, null when nothing is stored there; with a wildcard, the list of all values that it
 * stands for. Undefined when the content model has no such property.
 */
export const getProperty = (properties: Properties, { model, xpath }: At): PropertyValue | undefined => {
  const resolved = model.resolve(xpath)
  if (!resolved) return undefined
  const root = properties[resolved.key] ?? null
  const values = valuesAt(root, resolved.steps)
  return resolved.steps.some(isWildcard) ? values : (values[0] ?? null)
}

/**
 * Properties with the value at an xpath replaced; the passed ones stay as they are. The position after the
 * end of a list appends. Values are in stored form, or JSON that has one, blobs as `BlobValue`s.
 *
 * @throws badRequest for an unknown property, a wrong type, a wildcard, a position beyond the list, and the
 * parts of a blob that follow from its bytes.
 */
export const setProperty = (properties: Properties, { model, xpath, value }: SetAt): Properties => {
  const { set, changes } = createPropertyChanges(properties, model)
  set(xpath, value)
  return { ...properties, ...changes }
}

/**
 * Sets values at xpaths one after the other, as `setProperty` does. Each list and map is copied once, however many
 * values are set in it, and the passed properties stay as they are.
 *
 * @returns `changes`: the properties that have been set, whole, by key.
 */
export const createPropertyChanges = (properties: Properties, model: ContentModel): PropertyChanges => {
  const current = { ...properties }
  const changes: Properties = {}
  const copies: Copies = new WeakSet()
  return {
    changes,
    set: (xpath, value) => {
      const { key, field, steps, xpath: canonical } = requireWritable(current, { model, xpath })
      const slot = { holder: [], key: 0, xpath: canonical, context: storedBlobs }
      const stored = readValue(field, value, slot)
      const replaced = replaceAt(current[key] ?? null, steps, { xpath: canonical, value: stored, copies })
      current[key] = replaced
      changes[key] = replaced
    },
  }
}

/** Properties without the value at an xpath: a list item is removed, any other value becomes null. */
export const removeProperty = (properties: Properties, { model, xpath }: At): Properties => {
  const resolved = requireWritable(properties, { model, xpath })
  const position = resolved.steps.at(-1)
  if (typeof position !== 'number') return setProperty(properties, { model, xpath, value: null })
  const parent = resolved.xpath.slice(0, resolved.xpath.lastIndexOf('/'))
  const list = getProperty(properties, { model, xpath: parent })
  if (!Array.isArray(list) || position >= list.length)
    throw fail('badRequest', `No item at ${resolved.xpath}`)
  return setProperty(properties, { model, xpath: parent, value: list.toSpliced(position, 1) })
}

const storedBlobs: ReadContext = {
  isEmptyStringNull: false,
  readBlob: (json, { xpath }) => {
    if (!isBlobValue(json)) throw undeserializable({ xpath, field: { type: 'blob', isList: false }, json })
    return json
  },
}

const isWildcard = (step: Step): boolean => typeof step === 'string' && step.startsWith('*')

const WRITABLE_BLOB_PARTS: readonly Step[] = ['name', 'mime-type', 'encoding']

const requireWritable = (properties: Properties, { model, xpath }: At): ResolvedField => {
  const resolved = model.resolve(xpath)
  if (!resolved) throw fail('badRequest', `No such property: ${xpath}`)
  if (resolved.steps.some(isWildcard)) throw fail('badRequest', `A wildcard cannot be written: ${xpath}`)
  const part = resolved.steps.at(-1)
  if (typeof part !== 'string') return resolved
  const parent = resolved.xpath.slice(0, resolved.xpath.lastIndexOf('/'))
  if (model.resolve(parent)?.field.type !== 'blob') return resolved
  if (!WRITABLE_BLOB_PARTS.includes(part)) throw fail('badRequest', `Read-only part of a blob: ${xpath}`)
  if (!getProperty(properties, { model, xpath: parent })) throw fail('badRequest', `No blob at ${parent}`)
  return resolved
}

const valuesAt = (value: PropertyValue, steps: readonly Step[]): PropertyValue[] => {
  const [step, ...rest] = steps
  if (step === undefined) return [value]
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) {
    if (typeof step === 'number') return step < value.length ? valuesAt(value[step]!, rest) : []
    return value.flatMap((item) => valuesAt(item, rest))
  }
  return Object.hasOwn(value, step) ? valuesAt(value[step]!, rest) : []
}

const copied = <Value extends object>(value: Value, copies: Copies, copy: (value: Value) => Value): Value => {
  if (copies.has(value)) return value
  const own = copy(value)
  copies.add(own)
  return own
}

const replaceAt = (
  current: PropertyValue,
  steps: readonly Step[],
  { xpath, value, copies }: { xpath: string; value: PropertyValue; copies: Copies },
): PropertyValue => {
  const [step, ...rest] = steps
  if (step === undefined) return value
  if (typeof step === 'number') {
    const before = Array.isArray(current) ? current : []
    if (step > before.length) throw fail('badRequest', `No item at ${xpath}: the list has ${before.length}`)
    if (step === before.length) requireElements(step + 1, xpath)
    const item = replaceAt(before[step] ?? null, rest, { xpath, value, copies })
    const list = copied(before, copies, (items) => [...items])
    list[step] = item
    return list
  }
  const before = typeof current === 'object' && current !== null && !Array.isArray(current) ? current : {}
  const part = Object.hasOwn(before, step) ? before[step]! : null
  const replaced = replaceAt(part, rest, { xpath, value, copies })
  const parts = copied(before, copies, (values) => ({ ...values }))
  parts[step] = replaced
  return parts
}
