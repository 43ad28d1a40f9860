/** What the reference takes out of a search for full text; `:-@` is a range there (nxql-search.md §6). */
const IGNORED = /[!#$%&'()+,./\\:-@{|}`^~]/g

/** `-` negates at the start of a word and `*` asks for a prefix at its end; elsewhere they separate. */
const sanitizedWord = (word: string): string => {
  const isNegated = word.startsWith('-')
  const isPrefix = word.endsWith('*')
  const inner = word.replace(/[-*]+/g, ' ').trim()
  return inner === '' ? '' : `${isNegated ? '-' : ''}${inner}${isPrefix ? '*' : ''}`
}

/** A text that somebody typed into a search field, as a full-text query that has no syntax errors. */
export const sanitizeFulltext = (text: string): string => {
  const words = text
    .replace(IGNORED, ' ')
    .split(/\s+/)
    .map(sanitizedWord)
    .filter((word) => word !== '')
    .join(' ')
  // An odd quotation mark opens a phrase that nobody ends.
  const isOdd = (words.match(/"/g) ?? []).length % 2 === 1
  return isOdd ? words.replaceAll('"', ' ').trim() : words
}
