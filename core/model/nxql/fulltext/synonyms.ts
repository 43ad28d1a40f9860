import { fail } from '../../../platform/errors/index.js'
import type { SynonymRule } from '../../content-model/index.js'
import { foldedWords } from './folded-words.js'
import type { FulltextQuery, FulltextTerm } from './parse.js'

/** Words of one search with their synonyms: each is a value of the statement. */
const MAX_ALTERNATIVES = 500

type ByWord = ReadonlyMap<string, readonly string[]>

const byRules = new WeakMap<readonly SynonymRule[], ByWord>()

const folded = (text: string): string => foldedWords(text).join(' ')

/** What each word finds beside itself, by the word as it is folded. */
const byWordOf = (rules: readonly SynonymRule[]): ByWord => {
  const known = byRules.get(rules)
  if (known) return known
  const found = new Map<string, Set<string>>()
  for (const { words, finds = words } of rules)
    for (const word of words.map(folded).filter((each) => !each.includes(' '))) {
      const own = found.get(word) ?? new Set()
      for (const text of finds.map(folded)) if (text !== word) own.add(text)
      found.set(word, own)
    }
  const byWord = new Map([...found].map(([word, texts]) => [word, [...texts]]))
  byRules.set(rules, byWord)
  return byWord
}

/** Words as they stand are looked up; quoted, begun and excluded ones mean themselves. */
const synonymsOf = ({ text, isPrefix, isExcluded, isQuoted }: FulltextTerm, byWord: ByWord) =>
  isPrefix || isExcluded || isQuoted ? [] : (byWord.get(folded(text)) ?? [])

/**
 * A search with what its words find by synonyms.
 *
 * @throws badRequest for one that becomes too long.
 */
export const withSynonyms = (query: FulltextQuery, rules: readonly SynonymRule[]): FulltextQuery => {
  if (rules.length === 0) return query
  const byWord = byWordOf(rules)
  const expanded = query.map((terms) =>
    terms.map((term) => ({ ...term, synonyms: synonymsOf(term, byWord) })),
  )
  const count = expanded.flat().reduce((sum, { synonyms }) => sum + 1 + synonyms.length, 0)
  if (count > MAX_ALTERNATIVES)
    throw fail(
      'badRequest',
      `Invalid fulltext query (more than ${MAX_ALTERNATIVES} words with their synonyms)`,
    )
  return expanded
}
