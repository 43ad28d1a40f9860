import type { Client, estypes } from '@elastic/elasticsearch'
import type { IndexPlan } from '../nxql/index.js'

/** Entries that one search can be asked to go through. */
const MAX_WINDOW = 10_000

/** How long Elasticsearch keeps the state of an index for the next page. */
const KEEP_ALIVE = '1m'

type Part = { limit: number; offset: number; countAtMost?: number | undefined }

export type Found = { ids: string[]; total: number }

type Hit = estypes.SearchHit<unknown>

const totalOf = ({ total }: estypes.SearchHitsMetadata, counted: number | true): number => {
  const value = typeof total === 'number' ? total : (total?.value ?? 0)
  return counted === true ? value : Math.min(value, counted)
}

const idsOf = (hits: readonly Hit[]): string[] => hits.flatMap(({ _id }) => _id ?? [])

const LONG_LIMIT = 2 ** 63

/** What stands for a missing long is more than a number of JavaScript keeps. */
const keptSort = (sort: readonly estypes.FieldValue[]): estypes.FieldValue[] =>
  sort.map((value) => (typeof value === 'number' && value >= LONG_LIMIT ? '9223372036854775807' : value))

/**
 * Looks for the ids of a part of what matches, in order. What is beyond the window of one search is walked to page by
 * page, on one state of the index.
 *
 * @param options `window`: entries that are asked for at once.
 */
export const findIds = async (
  client: Client,
  {
    index,
    plan,
    part,
    timeoutMs,
    window = MAX_WINDOW,
  }: {
    index: string
    plan: Pick<IndexPlan, 'query' | 'sort'>
    part: Part
    timeoutMs: number
    window?: number
  },
): Promise<Found> => {
  const { limit, offset, countAtMost } = part
  const counted = countAtMost === undefined ? true : Math.min(countAtMost + 1, 2 ** 31 - 1)
  const options = { requestTimeout: timeoutMs, maxRetries: 0 }
  const body = { query: plan.query, sort: plan.sort, _source: false }
  if (offset + limit <= window) {
    const request = { ...body, index, from: offset, size: limit, track_total_hits: counted }
    const { hits } = await client.search(request, options)
    return { ids: idsOf(hits.hits), total: totalOf(hits, counted) }
  }
  const opened = await client.openPointInTime({ index, keep_alive: KEEP_ALIVE }, options)
  let id = opened.id
  try {
    const ids: string[] = []
    let total = 0
    let after: estypes.FieldValue[] | undefined
    for (let seen = 0; seen < offset + limit; ) {
      const size = Math.min(window, offset + limit - seen)
      const { hits, pit_id } = await client.search(
        {
          ...body,
          pit: { id, keep_alive: KEEP_ALIVE },
          size,
          track_total_hits: after === undefined ? counted : false,
          ...(after && { search_after: after }),
        },
        options,
      )
      id = pit_id ?? id
      if (after === undefined) total = totalOf(hits, counted)
      ids.push(...idsOf(hits.hits).slice(Math.max(0, offset - seen)))
      seen += hits.hits.length
      const last = hits.hits.at(-1)?.sort
      if (hits.hits.length < size || !last) break
      after = keptSort(last)
    }
    return { ids, total }
  } finally {
    await client.closePointInTime({ id }, options)
  }
}
