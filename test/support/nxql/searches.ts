import { parseFulltext } from '../../../core/model/nxql/fulltext/parse.js'
import type { Scope } from './conditions.js'
import { documentWords, hasPhrase, wordsOf } from './words.js'

const INDEXES: { [name: string]: string } = {
  'ecm:fulltext_title': 'A',
  'ecm:fulltext.dc:title': 'A',
  'ecm:fulltext_description': 'B',
  'ecm:binarytext': 'D',
}

/** Whether a document has the words searched for in an index. */
export const searches = (name: string, text: string, { document, model }: Scope): boolean => {
  const index = INDEXES[name] ?? null
  const words = documentWords(document, model)
  return parseFulltext(text).some((terms) =>
    terms.every(({ text: phrase, isPrefix, isExcluded }) => {
      const isThere = hasPhrase(words, { phrase: wordsOf(phrase), isPrefix, index })
      return isThere !== isExcluded
    }),
  )
}
