import type { ContentModel, FieldType } from '../../model/content-model/index.js'
import { type NxqlParameter, quoteNxql, specialType } from '../../model/nxql/index.js'
import { normalizeDate } from '../../model/properties/index.js'
import { fail } from '../../platform/errors/index.js'
import type { SearchDocument } from './search-document.js'

const NUMBER = /^[+-]?\d+(\.\d+)?$/

/**
 * Writes values as NXQL literals by the type of the property that they are compared with: values of a
 * form is text (nxql-search.md §8.1, §8.2).
 *
 * @throws badRequest naming the field for a value that its property can not have.
 */
export const createLiterals = (document: SearchDocument, model: ContentModel) => {
  const typeOf = (parameter: string, field: string): FieldType =>
    model.resolve(parameter)?.field.type ??
    specialType(parameter) ??
    document.fieldOf(field)?.type ??
    'string'

  return (parameter: string, field: string, value: NxqlParameter): string => {
    if (typeof value === 'number') return String(value)
    if (typeof value === 'boolean') return value ? '1' : '0'
    if (typeof value !== 'string') throw fail('badRequest', `${field}: must be a text, a number or a boolean`)
    const type = typeOf(parameter, field)
    if (type === 'date') return dateLiteral(field, value)
    if (type === 'boolean') return booleanLiteral(field, value)
    if (type !== 'long' && type !== 'double') return quoteNxql(value)
    if (!NUMBER.test(value.trim())) throw fail('badRequest', `${field}: '${value}' is not a number`)
    return value.trim().replace(/^\+/, '')
  }
}

const booleanLiteral = (field: string, text: string): string => {
  const value = text.trim().toLowerCase()
  if (value === 'true' || value === '1') return '1'
  if (value === 'false' || value === '0') return '0'
  throw fail('badRequest', `${field}: '${text}' is not true or false`)
}

const dateLiteral = (field: string, text: string): string => {
  const date = normalizeDate(text.trim())
  if (date === undefined) throw fail('badRequest', `${field}: '${text}' is not a date`)
  return `TIMESTAMP '${date}'`
}
