import type { SearchedWords } from '../../../core/content/stores/index.js'
import type { ContentModel } from '../../../core/model/content-model/index.js'
import type { IndexShape } from '../../../core/search/index-shape/index.js'
import { type Mappings, mappingOf } from '../mapping/index.js'
import type { Clause } from './clauses.js'

/** The words of texts that are searched for, as the repository folds them: see `searchedTexts`. */
export type FoldedWords = ReadonlyMap<string, SearchedWords>

/** What the parts of one compilation share. */
export type Context = {
  model: ContentModel
  mappings: Mappings
  shape: IndexShape
  /** Name of the index that is asked. */
  index: string
  /** Ids of documents that hints compare with, those that the caller may browse. */
  shown: ReadonlySet<string>
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
  /** The clauses that score how well documents fit each search of the query, in order. */
  searched: Clause[]
}

const mappingsByModel = new WeakMap<ContentModel, WeakMap<IndexShape, Mappings>>()

/** The mapping of a model with what an index has beside it, which is built once. */
const mappingsFor = (model: ContentModel, shape: IndexShape): Mappings => {
  const byShape = mappingsByModel.get(model) ?? new WeakMap<IndexShape, Mappings>()
  mappingsByModel.set(model, byShape)
  const mappings = byShape.get(shape) ?? mappingOf(model, shape).properties ?? {}
  byShape.set(shape, mappings)
  return mappings
}

/** A context for one query. */
export const createContext = (
  { model, now, shape, index, shown }: Pick<Context, 'model' | 'now' | 'shape' | 'index' | 'shown'>,
  words: FoldedWords,
): Context => ({
  model,
  shape,
  index,
  shown,
  mappings: mappingsFor(model, shape),
  now,
  words,
  complete: new Set(),
  variables: new Set(),
  equivalences: 0,
  hinted: { characters: 0 },
  searched: [],
})
