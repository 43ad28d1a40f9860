import { coerceText, type Properties } from '../../../model/properties/index.js'
import { fail } from '../../../platform/errors/index.js'
import type { Directory, EntryQuery } from '../types.js'

/**
 * Conditions as typed values: each text in the type of its field; an empty text is no value.
 *
 * @throws badRequest naming a field that the directory does not have, or whose value does not fit.
 */
export const filterOf = async (
  { name, schema }: Directory,
  texts: { readonly [field: string]: string | null },
  fulltext: readonly string[],
): Promise<Required<Pick<EntryQuery, 'filter' | 'fulltext'>>> => {
  const filter: Properties = {}
  for (const [fieldName, text] of Object.entries(texts)) {
    const field = schema.fields.get(fieldName)
    if (!field) throw fail('badRequest', `filters: directory '${name}' has no field '${fieldName}'`)
    const isText = fulltext.includes(fieldName) || field.isList
    filter[fieldName] = isText ? text : await coerceText(text, { field, xpath: fieldName })
  }
  const unknown = fulltext.find((field) => !schema.fields.has(field))
  if (unknown !== undefined)
    throw fail('badRequest', `fulltextFields: directory '${name}' has no field '${unknown}'`)
  return { filter, fulltext: fulltext.filter((field) => field in filter) }
}
