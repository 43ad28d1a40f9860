import type { Field } from '../../model/content-model/index.js'
import { coerceGiven, misfit, type PropertyValue } from '../../model/properties/index.js'
import { isArchivoltError } from '../../platform/errors/index.js'

const hasFiles = ({ type, fields }: Field): boolean => type === 'blob' || fields.some(hasFiles)

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
    return `"${xpath}" ${misfit(field, value)}`
  }
}
