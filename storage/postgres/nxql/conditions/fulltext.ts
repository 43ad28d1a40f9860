import {
  type FulltextTerm,
  refuse,
  type SearchedWeight,
  type Test,
} from '../../../../core/model/nxql/index.js'
import type { Context } from '../context.js'
import { DOCUMENT_TEXTS, d, TEXTS } from '../places/names.js'

/** What words are is said by `archivolt_fold` alone, which leaves no quote in a text. */
const wordsText = (text: string, mark: string, context: Context): string => {
  const end = mark === '' ? "''''" : `''':${mark}'`
  return `to_tsquery('simple', '''' || archivolt_fold(${context.binder.bind(text, 'text')}) || ${end})`
}

/** The same in every form of the word, in the languages of documents. */
const formsText = (text: string, weight: string, context: Context): string =>
  `archivolt_word(${context.binder.bind(text, 'text')}, '${weight}')`

const NO_WORD = /[^\p{L}\p{N}\p{M}]+/u

/** Only the last word of a phrase is a beginning; the database would take the mark for each. */
const termText = (
  { text, synonyms = [], isPrefix, isExcluded, isQuoted }: FulltextTerm,
  weight: SearchedWeight,
  context: Context,
): string => {
  const mark = weight ?? ''
  if (!isPrefix && !isQuoted) {
    const forms = [text, ...synonyms].map((each) => formsText(each, mark, context))
    const word = forms.length === 1 ? forms[0] : `(${forms.join(' || ')})`
    return isExcluded ? `(!!${word})` : `${word}`
  }
  const words = text.split(NO_WORD).filter((word) => word !== '')
  const last = isPrefix ? words.pop() : undefined
  const parts = last === undefined ? [] : [wordsText(last, `*${mark}`, context)]
  if (last === undefined || words.length > 0)
    parts.unshift(wordsText(last === undefined ? text : words.join(' '), mark, context))
  const phrase = parts.length === 1 ? parts[0] : `(${parts.join(' <-> ')})`
  return isExcluded ? `(!!${phrase})` : `${phrase}`
}

/** The documents with the words searched for, as an SQL condition. */
export const searchText = (
  { alternatives, weight, negated, reference }: Extract<Test, { kind: 'isFound' }>,
  context: Context,
): string => {
  if (!context.searches(1)) throw refuse('too many conditions on ecm:fulltext', reference.offset)
  // In parentheses: the operators of tsquery all bind alike in SQL.
  const groups = alternatives.map(
    (terms) => `(${terms.map((term) => termText(term, weight, context)).join(' && ')})`,
  )
  const query = groups.length === 0 ? undefined : `(${groups.join(' || ')})`
  context.searched.push(query ?? "''::tsquery")
  if (query === undefined) return negated ? 'TRUE' : 'FALSE'
  return `${d.id} ${negated ? 'NOT IN' : 'IN'} (SELECT t.${TEXTS.documentId} FROM ${DOCUMENT_TEXTS} t WHERE t.${TEXTS.words} @@ ${query})`
}

/** How well a document fits the one search of the query. */
export const scoreText = (query: string): string =>
  `coalesce((SELECT ts_rank(t.${TEXTS.words}, (SELECT ${query}), 1) FROM ${DOCUMENT_TEXTS} t WHERE t.${TEXTS.documentId} = ${d.id}), 0)`
