import { normalForm } from '../../../core/platform/names/index.js'
import { isPart } from './refuse.js'

/** Names of the reference's index for what this one has (nxql-search.md §9.2). */
const FIELDS: { readonly [name: string]: string } = {
  all_field: 'ecm:words',
  _all: 'ecm:words',
  'ecm:path.children': 'ecm:paths',
  'docPath.children': 'docPaths',
}

const WORDS = 'ecm:words'

/** Words are in the index without case and accents. */
const folded = (text: string): string =>
  normalForm('NFD', text).replaceAll(/\p{M}/gu, '').normalize('NFC').toLowerCase()

const nameOf = (name: string): string => {
  const [field = '', ...boost] = name.split('^')
  return Object.hasOwn(FIELDS, field) ? [FIELDS[field], ...boost].join('^') : name
}

const foldedTexts = (value: unknown): unknown => {
  if (typeof value === 'string') return folded(value)
  if (Array.isArray(value)) return value.map(foldedTexts)
  if (!isPart(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, own]) => [key, foldedTexts(own)]))
}

/** A query of words says its fields beside its text; without any it asks all words. */
const asksWords = (value: { readonly [key: string]: unknown }): boolean => {
  if (typeof value.query !== 'string') return false
  const fields = [value.fields ?? value.default_field ?? WORDS].flat()
  return fields.some((field) => typeof field === 'string' && nameOf(field).startsWith(WORDS))
}

/** `OR`, `AND` and `NOT` are operators of the language in capitals alone. */
const foldedQuery = (text: string): string =>
  text.replaceAll(/\b(?:AND|OR|NOT)\b|[^\s]+/g, (part) =>
    ['AND', 'OR', 'NOT'].includes(part) ? part : folded(part),
  )

/** A search with the names of this index, and its words as they are there. */
export const withOwnNames = (value: unknown): unknown => {
  if (typeof value === 'string') return nameOf(value)
  if (Array.isArray(value)) return value.map(withOwnNames)
  if (!isPart(value)) return value
  const isOfWords = asksWords(value)
  return Object.fromEntries(
    Object.entries(value).map(([key, own]) => {
      const name = nameOf(key)
      if (name === WORDS) return [name, foldedTexts(own)]
      return [name, isOfWords && key === 'query' ? foldedQuery(own as string) : withOwnNames(own)]
    }),
  )
}
