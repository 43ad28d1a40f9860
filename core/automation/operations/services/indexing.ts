import { fail } from '../../../platform/errors/index.js'
import { defineOperation, type Operation } from '../../language/index.js'

/** Words, rights and values are written with the documents that they are found by, in the same transaction. */
const waitForIndexing = defineOperation({
  id: 'Elasticsearch.WaitForIndexing',
  label: 'Wait for Elasticsearch Indexing',
  category: 'Services',
  description:
    'True when queries find all that was committed before, which they always do: nothing is indexed behind a commit, so that nothing is to be waited for.',
  isReadOnly: true,
  params: {
    timeoutSecond: { type: 'integer', default: 60, description: 'Seconds to wait at most.' },
    refresh: { type: 'boolean', default: false, description: 'Accepted for the sake of callers.' },
    waitForAudit: { type: 'boolean', default: false, description: 'Accepted for the sake of callers.' },
  },
  methods: ({ method }) => [
    method('void', 'boolean', async ({ params: { timeoutSecond } }) => {
      if (timeoutSecond < 0) throw fail('badRequest', `timeoutSecond: ${timeoutSecond} is negative`)
      return { type: 'boolean', value: true }
    }),
  ],
})

export const indexingOperations: readonly Operation[] = [waitForIndexing]
