import { fail } from '../../../platform/errors/index.js'
import { requireModestJson } from '../../../platform/limits/index.js'
import type { Field } from '../../content-model/index.js'
import { type ReadOptions, readProperty } from '../read-properties.js'
import type { PropertyValue } from '../types.js'
import { requireElements, undeserializable } from './read-value.js'

/**
 * The value of a text in automation (reference: automation.md §3): an empty text clears, a list of scalars is comma
 * text with `\,` for a comma, blobs and complex values are JSON text.
 *
 * @throws badRequest when the text does not fit the field.
 */
export const coerceText = (
  text: string | null,
  { field, xpath, onBlob }: Omit<ReadOptions, 'isEmptyStringNull'> & { field: Field; xpath: string },
): PropertyValue | Promise<PropertyValue> => {
  if (text === null || text === '') return null
  if (field.type === 'complex' || field.type === 'blob') {
    return readProperty(parseJson(text, { field, xpath }), { field, xpath, onBlob })
  }
  if (!field.isList) return readProperty(text, { field, xpath })
  const items = splitList(text, xpath)
  return readProperty(field.type === 'string' ? items : items.map((item) => item.trim()), { field, xpath })
}

const textOf = (item: PropertyValue): string =>
  typeof item === 'object' ? JSON.stringify(item) : String(item)

/**
 * Reads one raw value as its field's type (reference: automation.md §3): texts by their rules, JSON as it stands.
 *
 * @throws badRequest when it does not fit the field.
 */
export const coerceGiven = (
  value: PropertyValue,
  where: Omit<ReadOptions, 'isEmptyStringNull'> & { field: Field; xpath: string },
): PropertyValue | Promise<PropertyValue> => {
  const { field } = where
  if (value === null) return null
  if (typeof value === 'string') return coerceText(value, where)
  if (typeof value !== 'object') return coerceText(String(value), where)
  const isStructured = field.isList || field.type === 'complex' || field.type === 'blob'
  if (isStructured) return readProperty(value, where)
  return coerceText(Array.isArray(value) ? value.map(textOf).join(',') : JSON.stringify(value), where)
}

const parseJson = (text: string, where: { field: Field; xpath: string }): unknown => {
  requireModestJson(`${where.xpath}:`, text)
  try {
    return JSON.parse(text)
  } catch {
    throw undeserializable({ ...where, json: text })
  }
}

/** Commas and escapes of a list in one text: each is looked at by itself. */
const MAX_MARKS = 1_000_000

/** `a\,b,c` is `a,b` and `c`; a backslash before anything but a comma or a backslash is itself. */
const splitList = (text: string, xpath: string): string[] => {
  const items: string[] = []
  let item = ''
  let from = 0
  let marks = 0
  for (const { 0: mark, index } of text.matchAll(/\\[\\,]|,/g)) {
    if (++marks > MAX_MARKS) throw fail('badRequest', `${xpath}: has more than ${MAX_MARKS} commas`)
    item += text.slice(from, index)
    from = index + mark.length
    if (mark === ',') {
      requireElements(items.push(item) + 1, xpath)
      item = ''
    } else item += mark.slice(1)
  }
  return [...items, item + text.slice(from)]
}
