import type { Client, estypes } from '@elastic/elasticsearch'
import type {
  CountedPage,
  IndexSides,
  QueryBackend,
  QueryScope,
  SearchedStores,
} from '../../../core/content/stores/index.js'
import { parseNxql, type Query, selectionOf } from '../../../core/model/nxql/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import type { Sharing } from '../../../core/platform/limits/index.js'
import type { Shapes } from '../engine/index.js'
import {
  compileAggregate,
  compileRows,
  compileSearch,
  type IndexPlan,
  type IndexScope,
  notAnswerable,
  type RowsPlan,
} from '../nxql/index.js'
import type { Availability } from './availability.js'
import { type Answered, createChoice } from './choose.js'
import { type Found, findIds } from './find.js'
import { isPlain, requireOrder } from './rows.js'

/** Documents that are read by their ids at once. */
const MAX_READ = 10_000

/** Documents by id, for one query: who may browse them is decided by the repository once more. */
const byIds = (query: Query, ids: readonly string[]): Query => ({
  ...query,
  limit: null,
  skip: null,
  where: {
    kind: 'in',
    reference: { kind: 'reference', name: 'ecm:uuid', cast: null, hint: null, offset: 0 },
    values: ids.map((value) => ({ kind: 'string', value, offset: 0 })),
    negated: false,
    offset: 0,
  },
})

const EVERYTHING = parseNxql('SELECT * FROM Document')

/** One more than there can be: a page that is not full is not counted. */
const pageOf = (ids: readonly string[]): CountedPage => ({ limit: ids.length + 1, offset: 0 })

/** The documents of a query, in any order. */
const ofDocuments = (query: Query): Query => ({
  ...query,
  select: { kind: 'all', distinct: false, offset: 0 },
  orderBy: [],
})

const isForRows = ({ select }: Query): boolean =>
  select.kind === 'items' && select.items.some(({ operand }) => operand.kind === 'function')

/** The search for rows that the engine computes itself. */
const bodyOf = ({ query, aggregations, isCounted }: RowsPlan) => ({
  query,
  aggs: aggregations,
  size: 0,
  track_total_hits: isCounted,
})

const countOf = ({ total }: estypes.SearchHitsMetadata): number =>
  typeof total === 'number' ? total : (total?.value ?? 0)

/** Why the index answers, for whoever has a query explained. */
const INDEXED = 'the index has caught up, and answers this as the database does'

/** The search that answers a query, whether for documents or for rows. */
const explained = (query: Query, scope: IndexScope, limit: number) => {
  if (isForRows(query)) {
    const selection = selectionOf(query, scope.model)
    const plan = compileRows(query, selection, { scope, page: { limit, offset: 0 } })
    return { body: bodyOf(plan), incomplete: plan.incomplete }
  }
  const { query: matches, sort, incomplete } = compileSearch(query, scope)
  return { body: { query: matches, sort, size: limit }, incomplete }
}

const requireReadable = ({ limit }: CountedPage): void => {
  if (limit > MAX_READ) throw notAnswerable(`more than ${MAX_READ} documents are read at once`)
}

/**
 * Searches of a session. The index answers what it can while it is there and has caught up, the repository all else.
 * Rights are those of the moment; documents are read from the repository.
 */
export const createSearch = (
  {
    client,
    sides,
    availability,
    sharing,
    settled,
    shapes,
  }: {
    client: Client
    sides: IndexSides
    availability: Availability
    sharing: Sharing
    shapes: Shapes
  } & Pick<QueryBackend, 'settled'>,
  { queries, isTransaction }: Pick<SearchedStores, 'queries' | 'isTransaction'>,
): QueryBackend => {
  const { feed } = sides
  const browsed = (ids: readonly string[], scope: QueryScope) =>
    queries.ids(byIds(EVERYTHING, ids), scope, ids.length)
  const { asked } = createChoice({ client, feed, availability, sharing, shapes, browsed }, isTransaction)
  const timeoutMs = availability.waitTimeoutMs
  const options = { requestTimeout: timeoutMs, maxRetries: 0 }

  const found = (
    query: Query,
    scope: QueryScope,
    { page, require = () => undefined }: { page: CountedPage; require?: (plan: IndexPlan) => void },
  ): Promise<Answered<Found>> =>
    asked({
      query,
      scope,
      compile: (indexScope) => {
        const plan = compileSearch(query, indexScope)
        require(plan)
        return plan
      },
      ask: (plan: IndexPlan, index) => findIds(client, { index, plan, part: page, timeoutMs }),
    })

  const read = async (query: Query, scope: QueryScope, ids: readonly string[]): Promise<DocumentRecord[]> => {
    if (ids.length === 0) return []
    const wanted = byIds(ofDocuments(query), ids)
    const { entries } = await queries.query(wanted, scope, pageOf(ids))
    const records = new Map(entries.map((record) => [record.id, record]))
    return ids.flatMap((id) => records.get(id) ?? [])
  }

  return {
    ...queries,
    sides,
    query: async (query, scope, page) => {
      const answer = await found(query, scope, { page, require: () => requireReadable(page) })
      if ('reason' in answer) return queries.query(query, scope, page)
      return { entries: await read(query, scope, answer.result.ids), total: answer.result.total }
    },

    ids: async (query, scope, limit) => {
      const answer = await found(query, scope, { page: { limit, offset: query.skip ?? 0, countAtMost: 0 } })
      return 'reason' in answer ? queries.ids(query, scope, limit) : answer.result.ids
    },

    records: async (query, scope, page) => {
      const selection = selectionOf(query, scope.model)
      if (!isPlain(selection)) {
        const answer = await asked({
          query,
          scope,
          compile: (indexScope) => compileRows(query, selection, { scope: indexScope, page }),
          ask: async (plan: RowsPlan, index) => {
            const { hits, aggregations = {} } = await client.search({ index, ...bodyOf(plan) }, options)
            return plan.read({ total: countOf(hits), aggregations })
          },
        })
        return 'reason' in answer ? queries.records(query, scope, page) : answer.result
      }
      const require = (plan: IndexPlan) => {
        requireReadable(page)
        requireOrder(plan)
      }
      const answer = await found(query, scope, { page, require })
      if ('reason' in answer) return queries.records(query, scope, page)
      const { ids, total } = answer.result
      if (ids.length === 0) return { entries: [], total }
      const rows = await queries.records(byIds(query, ids), scope, pageOf(ids))
      return { entries: rows.entries, total }
    },

    aggregate: async (query, scope, by) => {
      const answer = await asked({
        query,
        scope,
        compile: (indexScope) => compileAggregate(query, by, indexScope),
        ask: async ({ query: matches, aggregation, read: counts }, index) => {
          const body = { index, size: 0, query: matches, aggs: { counts: aggregation } }
          const { aggregations } = await client.search<unknown, { counts: estypes.AggregationsAggregate }>(
            body,
            options,
          )
          return counts((aggregations?.counts ?? {}) as Parameters<typeof counts>[0])
        },
      })
      return 'reason' in answer ? queries.aggregate(query, scope, by) : answer.result
    },

    settled: isTransaction ? queries.settled : settled,

    explain: async (query, scope, limit) => {
      const answer = await asked({
        query,
        scope,
        compile: (indexScope) => explained(query, indexScope, limit),
        ask: async ({ body }, index) => {
          const { profile } = await client.search(
            { index, ...body, _source: false, track_total_hits: false, profile: true },
            options,
          )
          const [shown, measured] = JSON.parse(JSON.stringify([body, profile]))
          return { index, body: shown, profile: measured }
        },
      })
      if ('result' in answer) return { backend: 'index', reason: INDEXED, ...answer.result }
      return { backend: 'database', reason: answer.reason, ...(await queries.explain(query, scope, limit)) }
    },
  }
}
