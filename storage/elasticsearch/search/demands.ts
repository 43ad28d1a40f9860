import type { IndexFeed, QueryScope } from '../../../core/content/stores/index.js'
import type { Query } from '../../../core/model/nxql/index.js'
import { fail } from '../../../core/platform/errors/index.js'
import type { Shapes } from '../engine/index.js'
import { type Clause, compileSearch, NotAnswerable, searchedTexts, shownIds } from '../nxql/index.js'

const NOT_ANSWERED = 'A security policy asks what the search index does not answer: search with NXQL'

/**
 * What keeps the entries of an index that security policies leave to somebody. Those of which a value was left out of the
 * index, as it is too long, are not among them.
 *
 * @throws notSupported where the index cannot answer what policies ask; unavailable while it is rebuilt.
 */
export const demandedOf = async (
  { shapes, feed }: { shapes: Shapes; feed: Pick<IndexFeed, 'wordsOf'> },
  index: string,
  { query, scope }: { query: Query; scope: QueryScope },
): Promise<Clause[]> => {
  const shape = await shapes.of(index)
  if (!shape)
    throw fail('unavailable', 'The search index is being rebuilt; try again later', { retryAfter: 1 })
  const { where } = query
  if (where && shownIds(where).length > 0) throw fail('notSupported', NOT_ANSWERED)
  const words = await feed.wordsOf(where ? searchedTexts(where, scope) : [])
  const { model, now } = scope
  try {
    const compiled = compileSearch(query, {
      ...{ model, now, shape, words, index },
      rights: [],
      shown: new Set(),
    })
    return compiled.incomplete
      ? [compiled.query, { bool: { must_not: [compiled.incomplete] } }]
      : [compiled.query]
  } catch (error) {
    if (error instanceof NotAnswerable) throw fail('notSupported', NOT_ANSWERED, { cause: error })
    throw error
  }
}
