import type { Client, errors } from '@elastic/elasticsearch'
import type { IndexFeed, QueryScope } from '../../../core/content/stores/index.js'
import type { Query } from '../../../core/model/nxql/index.js'
import { isUuid } from '../../../core/model/properties/index.js'
import type { Sharing } from '../../../core/platform/limits/index.js'
import { clientErrors, type Shapes } from '../engine/index.js'
import { type IndexPlan, type IndexScope, NotAnswerable, searchedTexts, shownIds } from '../nxql/index.js'
import type { Availability, Known } from './availability.js'
import { rightsOf } from './rights.js'

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
  error instanceof clientErrors().ResponseError && error.statusCode === 400

/** Texts and conditions that are remembered of one state of an index, and how long they are at most. */
const MAX_KNOWN = 1_000
const MAX_LENGTH = 2_000

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
  /** Words as documents that the index has been notified of make them: of the languages that these have. */
  const wordsOf = async (texts: readonly string[], { words: known }: Known): Promise<IndexScope['words']> => {
    const unknown = texts.filter((text) => !known.has(text))
    const found = await feed.wordsOf(unknown)
    for (const [text, words] of found)
      if (known.size < MAX_KNOWN && text.length < MAX_LENGTH) known.set(text, words)
    return unknown.length === 0 ? known : new Map([...known, ...found])
  }

  /** The index and what it must know for a query. */
  const prepared = async (
    query: Query,
    scope: QueryScope,
  ): Promise<{ index: string; known: Known; indexScope: IndexScope } | { reason: string }> => {
    if (isTransaction) return { reason: 'no index has what a transaction writes' }
    const texts = query.where ? searchedTexts(query.where, scope) : []
    const shown = query.where ? shownIds(query.where).filter(isUuid) : []
    const [ready, rights, readable] = await Promise.all([
      availability
        .ready(scope.principal)
        .then(async (found) => found && { ...found, words: await wordsOf(texts, found.known) }),
      rightsOf(feed, scope.principal),
      shown.length === 0 ? [] : browsed(shown, scope),
    ])
    if (!ready) return { reason: 'the index is not there, lags, or does not answer' }
    if (!rights) return { reason: 'too many access scopes may be browsed' }
    const { index, known, words } = ready
    const made = await availability.trying(async () => ({ of: await shapes.of(index) }))
    if (!made) return { reason: 'the search engine does not answer' }
    if (!made.of) return { reason: 'the index is of another format, and built anew' }
    const { model, now } = scope
    return {
      index,
      known,
      indexScope: { model, now, shape: made.of, rights, words, index, shown: new Set(readable) },
    }
  }

  /** Whether documents have values that were left out of the index. */
  const isIncomplete = async (
    index: string,
    { incomplete }: Pick<IndexPlan, 'incomplete'>,
    { complete }: Known,
  ): Promise<boolean> => {
    if (!incomplete) return false
    const asked = JSON.stringify(incomplete)
    if (complete.has(asked)) return false
    const options = { requestTimeout: availability.waitTimeoutMs, maxRetries: 0 }
    const { count } = await client.count({ index, query: incomplete, terminate_after: 1 }, options)
    if (count === 0 && complete.size < MAX_KNOWN && asked.length < MAX_LENGTH) complete.add(asked)
    return count > 0
  }

  return {
    asked: async ({ query, scope, compile, ask }) => {
      try {
        const ready = await prepared(query, scope)
        if ('reason' in ready) return ready
        const { index, known, indexScope } = ready
        const plan = compile(indexScope)
        const search = async () => {
          try {
            const [lacks, result] = await Promise.all([isIncomplete(index, plan, known), ask(plan, index)])
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
