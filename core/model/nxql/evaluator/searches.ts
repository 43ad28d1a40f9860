import type { ContentModel } from '../../content-model/index.js'
import { foldedWords, parseFulltext, withSynonyms } from '../index.js'
import type { Scope } from './conditions.js'
import { likeExpression } from './scalars.js'
import { valuesOf } from './values.js'
import { documentWords, hasPhrase } from './words.js'

const NAME = /^ecm:fulltext(?:_(\w+))?(?:\.(.+))?$/

/** Which index is searched (null: all of them), or a property that has none of its own. */
const searched = (name: string, model: ContentModel): { index: string | null } | { property: string } => {
  if (name === 'ecm:binarytext') return { index: 'D' }
  const [, index = 'default', property] = NAME.exec(name) ?? []
  const { indexes } = model.fulltext
  if (property === undefined) return { index: indexes.get(index)?.weight ?? null }
  const own = [...indexes.values()].find(({ fields }) => fields.length === 1 && fields[0] === property)
  return own ? { index: own.weight } : { property }
}

/** Whether a document without a language has the words searched for in an index, or a text with them in a property. */
export const searches = (name: string, text: string, scope: Scope): boolean => {
  const { document, model } = scope
  const place = searched(name, model)
  if ('property' in place) {
    const pattern = likeExpression(`%${text}%`, true)
    const reference = { kind: 'reference', name: place.property, cast: null, hint: null, offset: 0 } as const
    return valuesOf(reference, scope).ways.some((way) =>
      way.some((value) => pattern.test(String(value ?? ''))),
    )
  }
  const words = documentWords(document, model)
  return withSynonyms(parseFulltext(text), model.fulltext.synonyms).some((terms) =>
    terms.every(({ text: written, synonyms = [], isPrefix, isExcluded }) => {
      const isThere = [written, ...synonyms].some((phrase) =>
        hasPhrase(words, { phrase: foldedWords(phrase), isPrefix, index: place.index }),
      )
      return isThere !== isExcluded
    }),
  )
}
