import { queryIds, type Session } from '../../../content/documents/index.js'
import type { IndexSides } from '../../../content/stores/index.js'
import { parseNxql } from '../../../model/nxql/index.js'
import { fail } from '../../../platform/errors/index.js'
import { reindex, requestRebuild } from '../../../search/indexing/index.js'
import {
  defineOperation,
  type Operation,
  type OperationContext,
  type Value,
  VOID,
} from '../../language/index.js'
import { jsonBlob } from '../shared/json-blob.js'

/** Documents of one query; of more, the whole repository is indexed again. */
const MAX_DOCUMENTS = 100_000

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
    waitForAudit: {
      type: 'boolean',
      default: false,
      description: 'Whether to wait for the audit in the search engine, too.',
    },
    waitForBulkService: { type: 'boolean', default: false, description: 'Accepted for the sake of callers.' },
  },
  methods: ({ method }) => [
    method('void', 'boolean', async ({ context: { session }, params: { timeoutSecond, waitForAudit } }) => {
      if (timeoutSecond < 0) throw fail('badRequest', `timeoutSecond: ${timeoutSecond} is negative`)
      const { search } = session.stores
      const value = await search.settled(timeoutSecond * 1000, { withAudit: waitForAudit })
      return { type: 'boolean', value }
    }),
  ],
})

/** What is indexed again: nothing where the repository answers searches itself. @throws forbidden for others. */
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
  params: {
    recursive: {
      type: 'boolean',
      default: true,
      description: 'Whether what is below a document is indexed, too.',
    },
  },
  methods: ({ method }) => [
    method('void', 'void', async ({ context: { session } }) => {
      const sides = indexesOf(session)
      if (sides) await requestRebuild(sides)
      return VOID
    }),
    method('string', 'void', async ({ context: { session }, input }) => {
      const sides = indexesOf(session)
      const ids = await queryIds(session, input, MAX_DOCUMENTS)
      if (sides) await reindex(sides, ids, { isDeep: false })
      return VOID
    }),
    method('document', 'void', async ({ context: { session }, input, params }) => {
      const sides = indexesOf(session)
      if (sides) await reindex(sides, [input.id], { isDeep: params.recursive })
      return VOID
    }),
  ],
})

const EVERYTHING = 'SELECT * FROM Document'

/** Answers the id of a bulk command, in JSON (nxql-search.md §9.4). */
const indexInBulk = defineOperation({
  id: 'Elasticsearch.BulkIndex',
  label: 'Elasticsearch Bulk Indexing',
  category: 'Services',
  description:
    'Indexes what a query finds, or every document, by a bulk command in the background, for administrators.',
  params: {},
  methods: ({ method }) => {
    const give = async ({ session, bulk, services }: OperationContext, query: string): Promise<Value> => {
      indexesOf(session)
      const commandId = await bulk.submit({ action: 'index', query: parseNxql(query), parameters: {} })
      services.dryRun?.commands.push(commandId)
      return jsonBlob(services, { commandId })
    }
    return [
      method('void', 'blob', ({ context }) => give(context, EVERYTHING)),
      method('string', 'blob', ({ context, input }) => give(context, input)),
    ]
  },
})

export const indexingOperations: readonly Operation[] = [waitForIndexing, indexAnew, indexInBulk]
