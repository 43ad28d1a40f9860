import { conditionsOf, type Predicate } from '../../../../core/model/nxql/index.js'
import { hintedValues, hintOf } from './hinted.js'

/** Operators whose values, or the first of them, are ids of documents that the engine reads. */
const READS: { readonly [operator: string]: (values: readonly string[]) => readonly string[] } = {
  more_like_this: (values) => values,
  geo_shape: (values) => values.slice(0, 1),
}

/** Ids of the documents that hints of a predicate compare others with: the engine must not read what a caller may not. */
export const shownIds = (where: Predicate): string[] =>
  conditionsOf(where).flatMap((condition) => {
    const operator = hintOf(condition)?.operator?.toLowerCase() ?? ''
    return Object.hasOwn(READS, operator) ? [...READS[operator]!(hintedValues(condition))] : []
  })
