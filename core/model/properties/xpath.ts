import { fail } from '../../platform/errors/index.js'
import type { ContentModel, ResolvedField } from '../content-model/index.js'
import type { Properties, PropertyValue } from './types.js'
import { isBlobValue } from './values/blob-value.js'
import { type ReadContext, readValue, requireElements, undeserializable } from './values/read-value.js'

type Step = string | number

export type At = { model: ContentModel; xpath: string }

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
export const setProperty = (
  properties: Properties,
  { model, xpath, value }: At & { value: PropertyValue },
): Properties => {
  const { key, field, steps, xpath: canonical } = requireWritable(properties, { model, xpath })
  const slot = { holder: [], key: 0, xpath: canonical, context: storedBlobs }
  const stored = readValue(field, value, slot)
  return {
    ...properties,
    [key]: replaceAt(properties[key] ?? null, steps, { xpath: canonical, value: stored }),
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

const replaceAt = (
  current: PropertyValue,
  steps: readonly Step[],
  { xpath, value }: { xpath: string; value: PropertyValue },
): PropertyValue => {
  const [step, ...rest] = steps
  if (step === undefined) return value
  if (typeof step === 'number') {
    const list = Array.isArray(current) ? current : []
    if (step > list.length) throw fail('badRequest', `No item at ${xpath}: the list has ${list.length}`)
    if (step === list.length) requireElements(step + 1, xpath)
    const item = replaceAt(list[step] ?? null, rest, { xpath, value })
    return step === list.length ? [...list, item] : list.with(step, item)
  }
  const parts = typeof current === 'object' && current !== null && !Array.isArray(current) ? current : {}
  const part = Object.hasOwn(parts, step) ? parts[step]! : null
  return { ...parts, [step]: replaceAt(part, rest, { xpath, value }) }
}
