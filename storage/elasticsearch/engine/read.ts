import type { Client, estypes } from '@elastic/elasticsearch'
import type { IndexEngine } from '../../../core/content/stores/index.js'
import type { Source } from '../mapping/index.js'
import { asking } from './client.js'

type Hits = estypes.SearchHit<Source>[]

const digestOf = (source: Source | undefined): string => String(source?.['ecm:digest'] ?? '')

/** What is read of entries: pages in the order of their ids, behind one, and what some were made of. */
export const createReads = (
  client: Client,
): Pick<IndexEngine, 'under' | 'entries' | 'digests' | 'newestVersion'> => {
  const page = async (
    name: string,
    request: Pick<estypes.SearchRequest, 'query' | '_source'>,
    { after, limit }: { after: string | null; limit: number },
  ): Promise<Hits> => {
    const { hits } = await asking(() =>
      client.search<Source>({
        index: name,
        ...request,
        size: limit,
        sort: [{ 'ecm:uuid': 'asc' }],
        track_total_hits: false,
        ...(after !== null && { search_after: [after] }),
      }),
    )
    return hits.hits
  }
  return {
    under: async (name, ids, after, limit) => {
      const fields = ['ecm:uuid', 'ecm:ancestorId', 'ecm:versionVersionableId', 'ecm:proxyTargetId']
      const query = { bool: { should: fields.map((field) => ({ terms: { [field]: [...ids] } })) } }
      const hits = await page(name, { query, _source: false }, { after, limit })
      return hits.flatMap(({ _id }) => _id ?? [])
    },
    entries: async (name, after, limit) => {
      const request = { query: { match_all: {} }, _source: ['ecm:digest'] }
      const hits = await page(name, request, { after, limit })
      return hits.map(({ _id = '', _source }) => ({ id: _id, digest: digestOf(_source) }))
    },
    digests: async (name, ids) => {
      if (ids.length === 0) return new Map()
      const { docs } = await asking(() =>
        client.mget<Source>({ index: name, ids: [...ids], _source_includes: ['ecm:digest'] }),
      )
      return new Map(
        docs.flatMap((entry) =>
          'found' in entry && entry.found ? [[entry._id, digestOf(entry._source)]] : [],
        ),
      )
    },
    newestVersion: async (name) => {
      const newest = { max: { field: 'ecm:version' } }
      const { aggregations } = await asking(() =>
        client.search<unknown, { newest: estypes.AggregationsMaxAggregate }>({
          index: name,
          size: 0,
          track_total_hits: false,
          aggs: { newest },
        }),
      )
      return aggregations?.newest.value ?? 0
    },
  }
}
