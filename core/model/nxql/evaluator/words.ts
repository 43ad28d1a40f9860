import type { ContentModel } from '../../content-model/index.js'
import { foldedWords } from '../index.js'
import type { EvaluatedDocument } from './document.js'
import type { Json } from './values.js'

const textsIn = (json: Json | undefined): string[] => {
  if (typeof json === 'string') return [json]
  return Array.isArray(json) ? json.flatMap(textsIn) : []
}

/** Follows a JSON path of names and `[*]`. */
const along = (json: Json | undefined, path: string): string[] => {
  const steps = [...path.matchAll(/\."([^"]*)"|\[\*\]/g)].map(([, name]) => name)
  const follow = (at: Json | undefined, rest: readonly (string | undefined)[]): string[] => {
    const [name, ...more] = rest
    if (rest.length === 0) return textsIn(at)
    if (name === undefined) return Array.isArray(at) ? at.flatMap((item) => follow(item, more)) : []
    if (typeof at !== 'object' || at === null || Array.isArray(at)) return []
    return follow(at[name], more)
  }
  return follow(json, steps)
}

export type Word = { word: string; index: 'A' | 'B' | 'C' }

/** All words of a document in order, each with the index that holds it. */
export const documentWords = (document: EvaluatedDocument, { fulltext }: ContentModel): Word[] => {
  const fields = fulltext.fields.find(({ owner }) => owner === `type:${document.type}`)
  if (!fields) return []
  const of = (keys: readonly string[]) => keys.flatMap((key) => textsIn(document.properties[key]))
  const nested = fields.nested.flatMap(({ path }) => along(document.properties, path))
  const marked = (texts: readonly string[], index: Word['index']) =>
    texts.flatMap(foldedWords).map((word) => ({ word, index }))
  return [
    ...marked(of(fields.a), 'A'),
    ...marked(of(fields.b), 'B'),
    ...marked([...of(fields.c), ...nested], 'C'),
  ]
}

/** Whether words of a phrase stand one after another, the last as a beginning where it may be one. */
export const hasPhrase = (
  words: readonly Word[],
  { phrase, isPrefix, index }: { phrase: readonly string[]; isPrefix: boolean; index: string | null },
): boolean =>
  words.some((_, start) =>
    phrase.every((wanted, position) => {
      const found = words[start + position]
      if (!found || (index !== null && found.index !== index)) return false
      const isBeginning = isPrefix && position === phrase.length - 1
      return isBeginning ? found.word.startsWith(wanted) : found.word === wanted
    }),
  )
