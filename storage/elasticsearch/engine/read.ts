import type { Client, estypes } from '@elastic/elasticsearch'
import type { IndexEngine } from '../../../core/content/stores/index.js'
import type { Source } from '../mapping/index.js'
import { asking } from './client.js'

type Hits = estypes.SearchHit<Source>[]

/** Pages over entries in the order of their ids, behind one. */
export const createReads = (client: Client): Pick<IndexEngine, 'under' | 'entries'> => {
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
      const request = { query: { match_all: {} }, _source: ['ecm:changeToken'] }
      const hits = await page(name, request, { after, limit })
      return hits.map(({ _id = '', _source }) => ({
        id: _id,
        changeToken: String(_source?.['ecm:changeToken'] ?? ''),
      }))
    },
  }
}
