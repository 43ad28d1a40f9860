import { type Client, errors } from '@elastic/elasticsearch'
import type { IndexFeed, QueryScope } from '../../../core/content/stores/index.js'
import type { Query } from '../../../core/model/nxql/index.js'
import { isUuid } from '../../../core/model/properties/index.js'
import type { Shapes } from '../engine/index.js'
import { type IndexPlan, type IndexScope, NotAnswerable, searchedTexts, shownIds } from '../nxql/index.js'
import type { Availability } from './availability.js'
import { rightsOf } from './rights.js'
import type { Sharing } from './sharing.js'

/** What the index has said, or why the repository is to answer. */
export type Answered<Result> = { result: Result } | { reason: string }

/** A question for the index: how it is compiled, and asked. */
type Question<Plan, Result> = {
  query: Query
  scope: QueryScope
  compile(scope: IndexScope): Plan
  ask(plan: Plan, index: string): Promise<Result>
}

export type Choice = {
  /** Asks the index. @throws badRequest as the repository does. */
  asked<Plan extends Pick<IndexPlan, 'incomplete'>, Result>(
    question: Question<Plan, Result>,
  ): Promise<Answered<Result>>
}

/** What is wrong with a request, and no sign that the engine is away. */
const isRefusal = (error: unknown): error is errors.ResponseError =>
  error instanceof errors.ResponseError && error.statusCode === 400

/** Decides for each query whether the index answers it. */
export const createChoice = (
  {
    client,
    feed,
    availability,
    sharing,
    shapes,
    browsed,
  }: {
    client: Client
    feed: Pick<IndexFeed, 'scopesOf' | 'wordsOf'>
    availability: Availability
    sharing: Sharing
    shapes: Shapes
    /** Of some ids those whose documents somebody may browse, by the repository. */
    browsed(ids: readonly string[], scope: QueryScope): Promise<readonly string[]>
  },
  isTransaction: boolean,
): Choice => {
  /** The index and what it must know for a query. */
  const prepared = async (
    query: Query,
    scope: QueryScope,
  ): Promise<{ index: string; indexScope: IndexScope } | { reason: string }> => {
    if (isTransaction) return { reason: 'no index has what a transaction writes' }
    const shown = query.where ? shownIds(query.where).filter(isUuid) : []
    const [index, rights, words, readable] = await Promise.all([
      availability.live(scope.principal),
      rightsOf(feed, scope.principal),
      feed.wordsOf(query.where ? searchedTexts(query.where, scope) : []),
      shown.length === 0 ? [] : browsed(shown, scope),
    ])
    if (index === undefined) return { reason: 'the index is not there, lags, or does not answer' }
    if (!rights) return { reason: 'too many access scopes may be browsed' }
    const made = await availability.trying(async () => ({ of: await shapes.of(index) }))
    if (!made) return { reason: 'the search engine does not answer' }
    if (!made.of) return { reason: 'the index is of another format, and built anew' }
    const { model, now } = scope
    return {
      index,
      indexScope: { model, now, shape: made.of, rights, words, index, shown: new Set(readable) },
    }
  }

  /** Whether documents have values that were left out of the index. */
  const isIncomplete = async (
    index: string,
    { incomplete }: Pick<IndexPlan, 'incomplete'>,
  ): Promise<boolean> => {
    if (!incomplete) return false
    const options = { requestTimeout: availability.patienceMs, maxRetries: 0 }
    return (await client.count({ index, query: incomplete, terminate_after: 1 }, options)).count > 0
  }

  return {
    asked: async ({ query, scope, compile, ask }) => {
      try {
        const known = await prepared(query, scope)
        if ('reason' in known) return known
        const { index, indexScope } = known
        const plan = compile(indexScope)
        const search = async () => {
          try {
            const [lacks, result] = await Promise.all([isIncomplete(index, plan), ask(plan, index)])
            return lacks ? { reason: 'values that the query needs are not in the index' } : { result }
          } catch (error) {
            if (!isRefusal(error)) throw error
            return { reason: `the search engine refuses: ${error.message}` }
          }
        }
        const answer = await availability.trying(() => sharing(scope.principal, search))
        return answer ?? { reason: 'the search engine does not answer' }
      } catch (error) {
        if (error instanceof NotAnswerable) return { reason: error.message }
        throw error
      }
    },
  }
}
