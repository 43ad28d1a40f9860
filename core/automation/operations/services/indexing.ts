import { queryIds, type Session } from '../../../content/documents/index.js'
import type { IndexSides } from '../../../content/stores/index.js'
import { fail } from '../../../platform/errors/index.js'
import { reindex, requestRebuild } from '../../../search/indexing/index.js'
import { defineOperation, type Operation, VOID } from '../../language/index.js'

/** Documents of one query; of more, the whole repository is indexed anew. */
const MOST_INDEXED = 100_000

/** At once where the repository answers searches, which indexes in the transaction of each change. */
const waitForIndexing = defineOperation({
  id: 'Elasticsearch.WaitForIndexing',
  label: 'Wait for Elasticsearch Indexing',
  category: 'Services',
  description:
    'Waits until searches find all that was committed before: true when they do in time, else false.',
  isReadOnly: true,
  params: {
    timeoutSecond: { type: 'integer', default: 60, description: 'Seconds to wait at most.' },
    refresh: { type: 'boolean', default: false, description: 'Accepted for the sake of callers.' },
    waitForAudit: { type: 'boolean', default: false, description: 'Accepted for the sake of callers.' },
  },
  methods: ({ method }) => [
    method('void', 'boolean', async ({ context: { session }, params: { timeoutSecond } }) => {
      if (timeoutSecond < 0) throw fail('badRequest', `timeoutSecond: ${timeoutSecond} is negative`)
      return { type: 'boolean', value: await session.stores.search.settled(timeoutSecond * 1000) }
    }),
  ],
})

/** What is indexed anew: nothing where the repository answers searches itself. @throws forbidden for others. */
const indexesOf = ({ principal, stores }: Session): IndexSides | undefined => {
  if (!principal.isAdministrator)
    throw fail('forbidden', 'Unauthorized access: only administrators may index documents anew')
  return stores.search.sides
}

const indexAnew = defineOperation({
  id: 'Elasticsearch.Index',
  label: 'Elasticsearch Indexing',
  category: 'Services',
  description:
    'Indexes documents anew, for administrators: a document with all that is below it, what a query finds, or, without input, the whole repository, which a worker does in the background.',
  params: {},
  methods: ({ method }) => [
    method('void', 'void', async ({ context: { session } }) => {
      const sides = indexesOf(session)
      if (sides) await requestRebuild(sides)
      return VOID
    }),
    method('string', 'void', async ({ context: { session }, input }) => {
      const sides = indexesOf(session)
      const ids = await queryIds(session, input, MOST_INDEXED)
      if (sides) await reindex(sides, ids, { isDeep: false })
      return VOID
    }),
    method('document', 'void', async ({ context: { session }, input }) => {
      const sides = indexesOf(session)
      if (sides) await reindex(sides, [input.id], { isDeep: true })
      return VOID
    }),
  ],
})

export const indexingOperations: readonly Operation[] = [waitForIndexing, indexAnew]
