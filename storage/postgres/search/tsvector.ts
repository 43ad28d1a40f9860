import type { IndexedDocument } from '../../../core/content/stores/index.js'

type Words = IndexedDocument['words'][number]

const ESCAPED = /['\\]/

const QUOTE = 39
const COMMA = 44
const ZERO = 48
const NINE = 57
const WEIGHTS: { readonly [mark: number]: Words['weight'] } = { 65: 'A', 66: 'B', 67: 'C' }

/** More than there are positions of words in one vector. */
const SPAN = 2 ** 32

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE

/** Where the quote stands that ends a word; those within it are doubled. */
const endOfWord = (text: string, start: number): number => {
  let end = text.indexOf("'", start)
  while (text.charCodeAt(end + 1) === QUOTE) end = text.indexOf("'", end + 2)
  return end
}

/**
 * The words of a `tsvector` in the order of their text, one for each position. Its text is read here, since taking it
 * apart in the database costs twenty times as much; character by character, as a document has hundreds of words.
 *
 * @param text as Postgres prints it: `'it''s':1A,4 'word':2`, quotes and backslashes doubled; a word has at least one
 *   position.
 */
export const wordsOfVector = (text: string): Words[] => {
  const words: Words[] = []
  /** For each word its position, and where it stands in `words`: sorted as numbers, without a comparison in JavaScript. */
  const keys: number[] = []
  for (let at = 0; at < text.length; ) {
    const end = endOfWord(text, at + 1)
    const lexeme = text.slice(at + 1, end)
    const word = ESCAPED.test(lexeme) ? lexeme.replaceAll("''", "'").replaceAll('\\\\', '\\') : lexeme
    let last: Words | undefined
    // Behind the quote and a colon: positions, separated by commas, each with its mark unless that is D.
    at = end + 1
    do {
      at += 1
      let position = 0
      for (; isDigit(text.charCodeAt(at)); at += 1) position = position * 10 + text.charCodeAt(at) - ZERO
      const weight = WEIGHTS[text.charCodeAt(at)] ?? 'D'
      if (weight !== 'D') at += 1
      if (last?.weight !== weight) last = { word, weight }
      keys.push(position * SPAN + words.length)
      words.push(last)
    } while (text.charCodeAt(at) === COMMA)
    at += 1
  }
  return Array.from(Float64Array.from(keys).sort(), (key) => words[key % SPAN]!)
}
