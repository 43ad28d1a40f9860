import type { Field } from '../../model/content-model/index.js'
import { coerceGiven, type PropertyValue } from '../../model/properties/index.js'
import { isArchivoltError } from '../../platform/errors/index.js'

const NOUNS: { readonly [type in Field['type']]?: string } = {
  long: 'an integer',
  double: 'a number',
  boolean: 'true or false',
  date: 'a date such as 2024-05-31 or 2024-05-31T12:00:00Z',
}

const hasFiles = ({ type, fields }: Field): boolean => type === 'blob' || fields.some(hasFiles)

const noun = ({ type, isList }: Field): string => {
  const one = NOUNS[type] ?? 'what its field declares'
  return isList ? `a list, each of it ${one}` : one
}

const refused = (): never => {
  throw new Error('A file was read where there are none')
}

/**
 * What is said of a value that a property cannot hold, by the rules of automation (reference: automation.md §3); undefined for one
 * that it can, and for files, which are more than their text.
 */
export const unfitValue = (xpath: string, field: Field, value: PropertyValue): string | undefined => {
  if (hasFiles(field)) return undefined
  try {
    void coerceGiven(value, { field, xpath, onBlob: refused })
    return undefined
  } catch (error) {
    if (!isArchivoltError(error)) throw error
    const text = JSON.stringify(value)
    return `"${xpath}" holds ${noun(field)}, not ${text.length > 60 ? `${text.slice(0, 57)}…` : text}`
  }
}
