import { type FulltextTerm, type Query, searchedTerms } from '../../model/nxql/index.js'
import type { DocumentRecord, PropertyValue } from '../../model/properties/index.js'
import { giveTurn, isTurnOver } from '../../platform/limits/index.js'
import { normalForm } from '../../platform/names/index.js'

/** Parts of a property with the words that were found, as HTML: those stand in `<em>`. */
export type Highlight = { field: string; segments: string[] }

/** Characters shown around a found word, and parts of one property. */
const CONTEXT = 50
const MAX_SEGMENTS = 5

/** Characters of a text, and of all texts of a page, that are searched: the caller waits. */
const MAX_LENGTH = 100_000
const MAX_PAGE_LENGTH = 2_000_000

/** Words and phrases of a query that are looked for: each place of a text is compared with all of them. */
const MAX_TERMS = 100

const WORD = /[\p{L}\p{N}\p{M}]+/gu

/** What has neither accents nor other forms of its letters: most words, many of which are in a page. */
const PLAIN = /^\p{ASCII}*$/u

const fold = (word: string): string =>
  PLAIN.test(word)
    ? word.toLowerCase()
    : normalForm('NFKD', word).replace(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss')

type Word = { text: string; start: number; end: number }

const wordsOf = (text: string): Word[] =>
  [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
    text: fold(word),
    start: index,
    end: index + word.length,
  }))

type Wanted = { words: readonly string[]; isPrefix: boolean }

const wantedOf = ({ text, isPrefix }: FulltextTerm): Wanted => ({
  words: wordsOf(text).map((word) => word.text),
  isPrefix,
})

const isAt = (words: readonly Word[], at: number, { words: wanted, isPrefix }: Wanted): boolean =>
  wanted.length > 0 &&
  // Nearly every place fails here.
  (wanted.length === 1 || wanted[0] === words[at]?.text) &&
  wanted.every((expected, position) => {
    const found = words[at + position]?.text
    const isLast = position === wanted.length - 1
    return found === expected || (isLast && isPrefix && found?.startsWith(expected) === true)
  })

type Hit = { start: number; end: number }

const hitsIn = (text: string, wanted: readonly Wanted[]): Hit[] => {
  const words = wordsOf(text)
  return words.flatMap(({ start }, at) => {
    const ends = wanted
      .filter((each) => isAt(words, at, each))
      .map((each) => words[at + each.words.length - 1]?.end ?? 0)
    return ends.length === 0 ? [] : [{ start, end: Math.max(...ends) }]
  })
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Hits so near to each other that they are shown together. */
const grouped = (hits: readonly Hit[]): Hit[][] => {
  const groups: Hit[][] = []
  for (const hit of hits) {
    const group = groups.at(-1)
    const last = group?.at(-1)
    if (!group || !last || hit.start - last.end > CONTEXT) groups.push([hit])
    else if (hit.start >= last.end) group.push(hit)
  }
  return groups
}

/** Never between the halves of a character. */
const cut = (text: string, at: number): number => {
  const isInside = /[\udc00-\udfff]/.test(text.charAt(at))
  return isInside ? at + 1 : at
}

const segmentOf = (text: string, hits: readonly Hit[]): string => {
  let at = cut(text, Math.max(0, (hits[0]?.start ?? 0) - CONTEXT))
  let segment = ''
  for (const { start, end } of hits) {
    segment += `${escapeHtml(text.slice(at, start))}<em>${escapeHtml(text.slice(start, end))}</em>`
    at = end
  }
  return segment + escapeHtml(text.slice(at, cut(text, Math.min(text.length, at + CONTEXT))))
}

const textsOf = (value: PropertyValue | undefined): string[] =>
  (Array.isArray(value) ? value : [value])
    .filter((item) => typeof item === 'string')
    .map((text) => text.slice(0, MAX_LENGTH))

/** Clients name fields of a search engine's index: `dc:title.fulltext` is the property `dc:title`. */
const propertyOf = (field: string): string => field.replace(/^ecm:fulltext\./, '').replace(/\.fulltext$/, '')

/**
 * Where documents have the words that a query looks for (nxql-search.md §1.1). Texts far down a page of very long ones
 * are not searched.
 *
 * @param fields properties, or the fields of an index that are made of them; others have no parts to show.
 * @returns for each document the fields in which something was found.
 */
export const highlighted = async (
  query: Query,
  documents: readonly DocumentRecord[],
  fields: readonly string[],
): Promise<Highlight[][]> => {
  const wanted = searchedTerms(query).slice(0, MAX_TERMS).map(wantedOf)
  const named = [...new Set(fields)]
  let left = MAX_PAGE_LENGTH

  const segmentsIn = async (texts: readonly string[]): Promise<string[]> => {
    const segments: string[] = []
    for (const text of texts) {
      left -= text.length
      if (left < 0 || segments.length >= MAX_SEGMENTS) break
      segments.push(...grouped(hitsIn(text, wanted)).map((hits) => segmentOf(text, hits)))
      if (isTurnOver()) await giveTurn()
    }
    return segments.slice(0, MAX_SEGMENTS)
  }

  const found: Highlight[][] = []
  for (const { properties } of documents) {
    const highlights: Highlight[] = []
    for (const field of named) {
      const segments = await segmentsIn(textsOf(properties[propertyOf(field)]))
      if (segments.length > 0) highlights.push({ field, segments })
    }
    found.push(highlights)
  }
  return found
}
