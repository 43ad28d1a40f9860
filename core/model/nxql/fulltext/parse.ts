import { fail } from '../../../platform/errors/index.js'

/**
 * A word or phrase to look for; `isPrefix` asks for words that begin with its last one, `isQuoted` for words as they
 * are written, and no other forms of them. Each of the `synonyms`, words and phrases, is as good as the text.
 */
export type FulltextTerm = {
  text: string
  isPrefix: boolean
  isExcluded: boolean
  isQuoted: boolean
  synonyms?: readonly string[]
}

/** Alternatives, each of them terms that must all hold. */
export type FulltextQuery = readonly (readonly FulltextTerm[])[]

/** Terms of one search: each is a value of the statement. */
const MAX_TERMS = 200

/** A sign, then a phrase up to its closing quote, or what stands up to the next space. */
const PARTS = /\s*([+-]?)(?:"([^"]*)("?)|(\S*))/gy
const HAS_WORD = /[\p{L}\p{N}]/u

const refuse = (message: string): Error => fail('badRequest', `Invalid fulltext query (${message})`)

/** A loop, since an expression like `[*%]+$` takes quadratic time on a text of stars. */
const withoutStars = (word: string): string => {
  let end = word.length
  while (word[end - 1] === '*' || word[end - 1] === '%') end -= 1
  return word.slice(0, end)
}

const termOf = (
  written: string,
  { isExcluded, isQuoted }: Pick<FulltextTerm, 'isExcluded' | 'isQuoted'>,
): FulltextTerm | undefined => {
  const text = withoutStars(written)
  return HAS_WORD.test(text) ? { text, isPrefix: text !== written, isExcluded, isQuoted } : undefined
}

/** What the text of a search begins with that is one for the search engine as it is (reference: nxql-search.md §6). */
const RAW = 'es: '

/** Of it any word is enough, `+` adds one that must be there as well, and nothing is a mistake. */
const parseRaw = (text: string): FulltextQuery => {
  const groups: FulltextTerm[][] = []
  let count = 0
  for (const [, sign, phrase, , word = ''] of text.replaceAll('|', ' ').matchAll(PARTS)) {
    const term = termOf(phrase ?? word, { isExcluded: sign === '-', isQuoted: phrase !== undefined })
    if (!term) continue
    count += 1
    if (count > MAX_TERMS) throw refuse(`more than ${MAX_TERMS} words`)
    const last = groups.at(-1)
    if (last && sign !== '') last.push(term)
    else groups.push([term])
  }
  return groups.filter((group) => group.some(({ isExcluded }) => !isExcluded))
}

/**
 * Reads a search (reference: nxql-search.md §6): words that must all be there, `OR` below them, `-word`,
 * `"a phrase"`, and `word*` or `word%` for a beginning. Words of punctuation alone are passed over, as are
 * alternatives that only exclude; when none is left nothing is found.
 *
 * Behind `es: ` any word is enough.
 *
 * @throws badRequest for what has no meaning: a phrase without end, a quote in a word, an OR without a side, a
 *   sign alone.
 */
export const parseFulltext = (text: string): FulltextQuery => {
  if (text.startsWith(RAW)) return parseRaw(text.slice(RAW.length))
  const groups: FulltextTerm[][] = [[]]
  let count = 0
  let isAfterOr = true
  let hasOr = false
  for (const [, sign = '', phrase, end, word = ''] of text.matchAll(PARTS)) {
    if (phrase === undefined && word === '') {
      if (sign !== '') throw refuse('standalone +/-')
      continue
    }
    if (phrase !== undefined && end === '') throw refuse('unterminated phrase')
    if (phrase === undefined && word.includes('"')) throw refuse('quote inside a word')
    if (phrase === undefined && sign === '' && word.toUpperCase() === 'OR') {
      if (isAfterOr) throw refuse(hasOr ? 'double OR' : 'leading OR')
      groups.push([])
      isAfterOr = true
      hasOr = true
      continue
    }
    isAfterOr = false
    count += 1
    if (count > MAX_TERMS) throw refuse(`more than ${MAX_TERMS} words`)
    const term = termOf(phrase ?? word, { isExcluded: sign === '-', isQuoted: phrase !== undefined })
    if (term) groups.at(-1)?.push(term)
  }
  if (isAfterOr && hasOr) throw refuse('final OR')
  return groups.filter((group) => group.some(({ isExcluded }) => !isExcluded))
}
