import { MAX_QUERY_LENGTH } from '../../model/nxql/index.js'
import { fail } from '../../platform/errors/index.js'

/** The characters that the reference removes from a full-text search; `:-@` is a range there (nxql-search.md §6). */
const IGNORED = /[!#$%&'()+,./\\:-@{|}`^~]/g

/** `-` negates at the start of a word and `*` asks for a prefix at its end; elsewhere they separate. */
const sanitizedWord = (word: string): string => {
  const isNegated = word.startsWith('-')
  const isPrefix = word.endsWith('*')
  const inner = word.replace(/[-*]+/g, ' ').trim()
  return inner === '' ? '' : `${isNegated ? '-' : ''}${inner}${isPrefix ? '*' : ''}`
}

/**
 * The text of a search field, as a full-text query without syntax errors.
 *
 * @throws badRequest for a text that no query may hold.
 */
export const sanitizeFulltext = (text: string): string => {
  if (text.length > MAX_QUERY_LENGTH)
    throw fail(
      'badRequest',
      `The searched words have ${text.length} characters, at most ${MAX_QUERY_LENGTH} are allowed`,
    )
  const words = text
    .replace(IGNORED, ' ')
    .split(/\s+/)
    .map(sanitizedWord)
    .filter((word) => word !== '')
    .join(' ')
  // A quotation mark without a partner opens a phrase that never ends.
  const hasUnclosedQuote = (words.match(/"/g) ?? []).length % 2 === 1
  return hasUnclosedQuote ? words.replaceAll('"', ' ').trim() : words
}
