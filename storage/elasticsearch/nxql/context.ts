import type { ContentModel } from '../../../core/model/content-model/index.js'
import { type Mappings, mappingOf } from '../mapping/index.js'
import type { Clause } from './clauses.js'

/** The words of texts that are searched for, as the repository folds them: see `searchedTexts`. */
export type FoldedWords = ReadonlyMap<string, readonly string[]>

/** What the parts of one compilation share. */
export type Context = {
  model: ContentModel
  mappings: Mappings
  /** Instant that `NOW()` means. */
  now: Date
  words: FoldedWords
  /**
   * Fields whose values must all be in the index: where one was too long or did not fit, only the repository can
   * answer.
   */
  complete: Set<string>
  /** The numbered wildcards that a condition has mentioned. */
  variables: Set<string>
  /** How many comparisons of predicates are around a condition: each asks for both of its sides twice. */
  equivalences: number
  /** How long the values of hints are together. */
  hinted: { characters: number }
  /** The searches of the query, in order. */
  searched: Clause[]
}

const mappingsByModel = new WeakMap<ContentModel, Mappings>()

/** The mapping of a model, which is built once. */
export const mappingsFor = (model: ContentModel): Mappings => {
  const known = mappingsByModel.get(model)
  if (known) return known
  const mappings = mappingOf(model).properties ?? {}
  mappingsByModel.set(model, mappings)
  return mappings
}

/** A context for one query. */
export const createContext = (
  { model, now }: { model: ContentModel; now: Date },
  words: FoldedWords,
): Context => ({
  model,
  mappings: mappingsFor(model),
  now,
  words,
  complete: new Set(),
  variables: new Set(),
  equivalences: 0,
  hinted: { characters: 0 },
  searched: [],
})
