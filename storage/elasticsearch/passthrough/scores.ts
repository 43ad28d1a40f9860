import type { JsonObject } from '../../../core/content/stores/index.js'
import { type Part, refuseAt } from './refuse.js'

type Json = JsonObject[string]

/** Of entries themselves, which are passed on as they are. */
const OWN = new Set(['_source', 'fields', 'highlight'])

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const without = (value: Json, hidden: ReadonlySet<string>): Json => {
  if (Array.isArray(value)) return value.map((each) => without(each, hidden))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (hidden.has(name)) return [name, null]
      return [name, OWN.has(name) ? inner : without(inner as Json, hidden)]
    }),
  )
}

/**
 * Refuses what compares scores. The engine counts how many documents have a word, hidden ones too: a score would reveal
 * somebody which words the documents have that he may not read.
 *
 * @throws badRequest naming `min_score`.
 */
export const requireNoScores = (body: Part): void => {
  if (/"min_score":/.test(JSON.stringify(body)))
    throw refuseAt('min_score', 'is for administrators: scores count words of hidden documents')
}

/** An answer whose entries are in the order of their scores, without them: `_score` and `max_score` are null. */
export const withoutScores = (answer: JsonObject, body: Part): JsonObject => {
  const sorts = JSON.stringify(body).includes('"_score"')
  return without(answer, new Set(['_score', 'max_score', ...(sorts ? ['sort'] : [])])) as JsonObject
}
