import type { Client } from '@elastic/elasticsearch'
import type {
  IndexSides,
  QueryBackend,
  QueryScope,
  Results,
  SearchedStores,
} from '../../../core/content/stores/index.js'
import type { Query } from '../../../core/model/nxql/index.js'
import type { DocumentRecord } from '../../../core/model/properties/index.js'
import { type CompiledSearch, compileSearch } from '../nxql/index.js'
import type { Availability } from './availability.js'
import { rightsOf } from './rights.js'
import { createSettled } from './settled.js'

/** Entries that one search can be asked to go through. */
const MAX_WINDOW = 10_000

type Part = { limit: number; offset: number; countAtMost?: number | undefined }

/** Documents by id, for one query: who may browse them is decided by the repository once more. */
const byIds = (query: Query, ids: readonly string[]): Query => ({
  ...query,
  orderBy: [],
  where: {
    kind: 'in',
    reference: { kind: 'reference', name: 'ecm:uuid', cast: null, hint: null, offset: 0 },
    values: ids.map((value) => ({ kind: 'string', value, offset: 0 })),
    negated: false,
    offset: 0,
  },
})

/**
 * Searches of a session. The index answers what it can while it is there and has caught up, the repository all else.
 * Rights are those of the moment; documents are read from the repository.
 */
export const createSearch = (
  { client, sides, availability }: { client: Client; sides: IndexSides; availability: Availability },
  { queries, isTransaction }: Pick<SearchedStores, 'queries' | 'isTransaction'>,
): QueryBackend => {
  const { feed } = sides
  const search = async (
    live: string,
    { query, sort }: CompiledSearch,
    { rights, limit, offset, countAtMost }: Part & { rights: object[] },
  ): Promise<Results<string>> => {
    const { hits } = await client.search(
      {
        index: live,
        query: { bool: { filter: [query, ...rights] } },
        sort,
        from: offset,
        size: limit,
        _source: false,
        track_total_hits: countAtMost === undefined ? true : countAtMost + 1,
      },
      { requestTimeout: availability.patienceMs, maxRetries: 0 },
    )
    const total = typeof hits.total === 'number' ? hits.total : (hits.total?.value ?? 0)
    return { entries: hits.hits.flatMap(({ _id }) => _id ?? []), total }
  }

  /** Asks the index; undefined where the repository is to answer. */
  const indexed = async (
    query: Query,
    scope: QueryScope,
    part: Part,
  ): Promise<Results<string> | undefined> => {
    if (isTransaction || part.limit === 0 || part.offset + part.limit > MAX_WINDOW) return undefined
    const compiled = compileSearch(query, scope)
    if (!compiled) return undefined
    const live = await availability.live(scope.principal)
    const rights = live && (await rightsOf(feed, scope.principal))
    if (!live || !rights) return undefined
    return availability.trying(() => search(live, compiled, { ...part, rights }))
  }

  const read = async (query: Query, scope: QueryScope, ids: readonly string[]): Promise<DocumentRecord[]> => {
    if (ids.length === 0) return []
    const { entries } = await queries.query(byIds(query, ids), scope, { limit: ids.length, offset: 0 })
    const found = new Map(entries.map((record) => [record.id, record]))
    return ids.flatMap((id) => found.get(id) ?? [])
  }

  return {
    ...queries,
    sides,
    query: async (query, scope, page) => {
      const found = await indexed(query, scope, page)
      if (!found) return queries.query(query, scope, page)
      return { entries: await read(query, scope, found.entries), total: found.total }
    },
    ids: async (query, scope, limit) => {
      const found = await indexed(query, scope, { limit, offset: 0, countAtMost: 0 })
      return found?.entries ?? queries.ids(query, scope, limit)
    },
    settled: isTransaction ? queries.settled : createSettled(feed, availability),
    explain: async (query, scope, limit) => {
      const compiled = isTransaction ? undefined : compileSearch(query, scope)
      const live = compiled && (await availability.live(scope.principal))
      if (!live) return queries.explain(query, scope, limit)
      return { index: live, ...(JSON.parse(JSON.stringify(compiled)) as { [fact: string]: never }) }
    },
  }
}
