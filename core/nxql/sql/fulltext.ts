import { type FulltextTerm, parseFulltext } from '../fulltext/parse.js'
import type { Context } from './context.js'

type Weight = 'A' | 'B' | 'D' | null

/** The place of the text is `archivolt_fold`, which leaves no quote: what words are is said there alone. */
const termText = ({ text, isPrefix, isExcluded }: FulltextTerm, weight: Weight, context: Context): string => {
  const mark = `${isPrefix ? '*' : ''}${weight ?? ''}`
  const end = mark === '' ? "''''" : `''':${mark}'`
  const words = `to_tsquery('simple', '''' || archivolt_fold(${context.binder.bind(text, 'text')}) || ${end})`
  return isExcluded ? `!!${words}` : words
}

/** A search as SQL of type `tsquery`; undefined when it finds nothing. */
const queryText = (text: string, weight: Weight, context: Context): string | undefined => {
  const groups = parseFulltext(text).map((terms) =>
    terms.map((term) => termText(term, weight, context)).join(' && '),
  )
  return groups.length === 0 ? undefined : `(${groups.join(' || ')})`
}

/** The documents with the words searched for, as an SQL condition. */
export const searchText = (
  text: string,
  { weight, context, negated }: { weight: Weight; context: Context; negated: boolean },
): string => {
  const query = queryText(text, weight, context)
  context.searched.push(query ?? "''::tsquery")
  if (query === undefined) return negated ? 'TRUE' : 'FALSE'
  return `d.id ${negated ? 'NOT IN' : 'IN'} (SELECT t.document_id FROM document_texts t WHERE t.words @@ ${query})`
}

/** How well a document fits the one search of the query. */
export const scoreText = (query: string): string =>
  `coalesce((SELECT ts_rank(t.words, (SELECT ${query}), 1) FROM document_texts t WHERE t.document_id = d.id), 0)`
