import type { SearchedWords } from '../../../core/content/stores/index.js'
import {
  conditionsOf,
  type FulltextTerm,
  type Predicate,
  type Test,
  testOf,
} from '../../../core/model/nxql/index.js'
import { allOf, anyOf, type Clause, NOTHING, not } from './clauses.js'
import type { Context } from './context.js'
import { notAnswerable } from './not-answerable.js'

type Found = Extract<Test, { kind: 'isFound' }>

const NO_WORD = /[^\p{L}\p{N}\p{M}]+/u

/** Longer words are cut in the index. */
const MAX_WORD = 255

/** A phrase, and the beginning of a word behind it. */
const partsOf = ({ text, isPrefix }: FulltextTerm): { phrase: string; beginning: string | undefined } => {
  if (!isPrefix) return { phrase: text, beginning: undefined }
  const words = text.split(NO_WORD).filter((word) => word !== '')
  const beginning = words.pop()
  return { phrase: words.join(' '), beginning }
}

/** The words come as the repository has folded them. */
const AS_FOLDED = 'whitespace'

const fieldOf = (weight: Found['weight']): string => `ecm:words${weight ?? ''}`

const phraseClause = (field: string, words: readonly string[]): Clause =>
  words.length === 1
    ? { term: { [field]: { value: words[0]! } } }
    : { match_phrase: { [field]: { query: words.join(' '), analyzer: AS_FOLDED } } }

const beginningClause = (field: string, words: readonly string[], beginning: string): Clause => {
  if (words.length === 0) return { prefix: { [field]: { value: beginning } } }
  const intervals = [
    { match: { query: words.join(' '), ordered: true, max_gaps: 0, analyzer: AS_FOLDED } },
    { prefix: { prefix: beginning, analyzer: AS_FOLDED } },
  ]
  return { intervals: { [field]: { all_of: { intervals, ordered: true, max_gaps: 0 } } } }
}

/** What finds a term; undefined for one without a word, which asks for nothing. */
const termClause = (term: FulltextTerm, field: string, { words }: Context): Clause | undefined => {
  const known = (text: string): SearchedWords => {
    if (text === '') return { words: [], stems: [] }
    const found = words.get(text)
    if (!found) throw new Error(`The words of ${text} are not known`)
    if ([...found.words, ...found.stems].some((word) => word.length > MAX_WORD))
      throw notAnswerable('a word is longer than those in the index')
    return found
  }
  const folded = (text: string): readonly string[] => known(text).words
  const { phrase, beginning } = partsOf(term)
  const before = folded(phrase)
  const [last, ...more] = beginning === undefined ? [] : folded(beginning)
  if (more.length > 0) throw notAnswerable(`${beginning} is the beginning of several words`)
  if (last === undefined) {
    if (before.length === 0) return undefined
    const texts = term.isQuoted ? [] : [phrase, ...(term.synonyms ?? [])].map(known)
    const found = term.isQuoted
      ? [before]
      : texts.flatMap(({ words: own, stems }) => [own, ...stems.map((stem) => [stem])])
    return anyOf(found.filter(({ length }) => length > 0).map((each) => phraseClause(field, each)))
  }
  return beginningClause(field, before, last)
}

/** How much more a word counts in the title, and in a description, than in the rest. */
const BOOSTS = { A: 10, B: 2 } as const

/** The clauses that score how well a document fits a search of all words: those of its title first. */
const scoring = (search: Clause, alternatives: Found['alternatives'], context: Context): Clause => {
  const terms = alternatives.flat().filter(({ isExcluded }) => !isExcluded)
  const weighted = (['A', 'B'] as const).map((weight) => {
    const should = terms.flatMap((term) => termClause(term, fieldOf(weight), context) ?? [])
    return { bool: { should, boost: BOOSTS[weight] } }
  })
  return { bool: { must: [search], should: weighted } }
}

/** The documents with the words searched for. */
export const searchClause = ({ alternatives, weight, negated }: Found, context: Context): Clause => {
  const field = fieldOf(weight)
  const groups = alternatives.flatMap((terms) => {
    const clauses = terms.flatMap((term) => {
      const clause = termClause(term, field, context)
      return clause ? [{ clause, isExcluded: term.isExcluded }] : []
    })
    if (clauses.length === 0) return []
    const must = clauses.filter(({ isExcluded }) => !isExcluded).map(({ clause }) => clause)
    const mustNot = clauses.filter(({ isExcluded }) => isExcluded).map(({ clause }) => clause)
    return [{ bool: { must, must_not: mustNot } }]
  })
  const search = groups.length === 0 ? NOTHING : anyOf(groups)
  context.searched.push(
    weight === null && groups.length > 0 ? scoring(search, alternatives, context) : search,
  )
  return negated ? not(search) : allOf([search])
}

const textsOf = (test: Test): string[] => {
  if (test.kind === 'all' || test.kind === 'any') return test.tests.flatMap(textsOf)
  if (test.kind !== 'isFound') return []
  return test.alternatives.flat().flatMap((term) => {
    const { phrase, beginning } = partsOf(term)
    return [phrase, beginning ?? '', ...(term.synonyms ?? [])].filter((text) => text !== '')
  })
}

/** The texts of a predicate whose words only the repository knows: it folds them, as it has folded those of documents. */
export const searchedTexts = (where: Predicate, scope: Pick<Context, 'model' | 'now'>): string[] =>
  conditionsOf(where).flatMap((condition) => textsOf(testOf(condition, false, scope)))
