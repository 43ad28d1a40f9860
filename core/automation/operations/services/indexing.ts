import { fail } from '../../../platform/errors/index.js'
import { defineOperation, type Operation } from '../../language/index.js'

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

export const indexingOperations: readonly Operation[] = [waitForIndexing]
