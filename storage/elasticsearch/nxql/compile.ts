import type { QueryScope } from '../../../core/content/stores/index.js'
import { checkSelection, type Query, scoredSearch, typesOf } from '../../../core/model/nxql/index.js'
import type { IndexShape } from '../../../core/search/index-shape/index.js'
import { allOf, type Clause, not, oneOf } from './clauses.js'
import { createContext, type FoldedWords } from './context.js'
import { type Sort, sortFor } from './order.js'
import { whereClause } from './where.js'

/** What a query is compiled with beside itself. */
export type IndexScope = Pick<QueryScope, 'model' | 'now'> & {
  /** What contributions have added to the index that is asked. */
  shape: IndexShape
  /** What keeps the documents that may be browsed; none where everything may. */
  rights: readonly Clause[]
  words: FoldedWords
  /** Name of the index that is asked. */
  index: string
  /** Of `shownIds` those that the caller may browse, in lower case. */
  shown: ReadonlySet<string>
}

/** A compiled query: parts of a search body. */
export type IndexPlan = {
  query: Clause
  sort: Sort
  /** Finds documents of which a part that the query needs was left out of the index: one must not answer then. */
  incomplete: Clause | undefined
}

const typeClause = (from: Query['from'], { model }: IndexScope): Clause => {
  const { names, isExcluding } = typesOf(from, model)
  const types = oneOf('ecm:primaryType', names)
  return isExcluding ? not(types) : types
}

/** What matches a query, without its order. @throws NotAnswerable, badRequest as `compileSearch` does. */
export const compileMatches = (query: Query, scope: IndexScope) => {
  const context = createContext(scope, scope.words)
  const where = query.where ? [whereClause(query.where, false, context)] : []
  return { context, matches: allOf([typeClause(query.from, scope), ...where, ...scope.rights]) }
}

/**
 * Compiles a query to a search that finds the documents that the repository finds, in its order. Only how well they
 * fit a search of words is found otherwise.
 *
 * @throws NotAnswerable where the index cannot; badRequest for what the repository refuses as well.
 */
export const compileSearch = (query: Query, scope: IndexScope): IndexPlan => {
  const { context, matches } = compileMatches(query, scope)
  for (const reference of checkSelection(query, scope.model)) scoredSearch(reference, context.searched)
  const sort = sortFor(query.orderBy, context)
  const [search] = context.searched
  const isScored = sort.some((key) => typeof key === 'object' && '_score' in key)
  return {
    query: isScored && search ? { bool: { filter: [matches], should: [search] } } : matches,
    sort,
    incomplete: incompleteClause(context.complete),
  }
}

/** Finds documents with a field that was ignored when they were indexed. */
export const incompleteClause = (fields: ReadonlySet<string>): Clause | undefined =>
  fields.size === 0 ? undefined : { terms: { _ignored: [...fields] } }
