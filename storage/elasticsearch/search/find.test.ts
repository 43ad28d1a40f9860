import type { Client } from '@elastic/elasticsearch'
import { expect, test } from 'vitest'
import { findIds } from './find.js'

/** An index of documents `0`, `1`, …, sorted by a long that they do not have. */
const clientOf = (count: number) => {
  const requests: { size: number; search_after?: unknown[]; track_total_hits: unknown; from?: number }[] = []
  const closed: string[] = []
  const client = {
    openPointInTime: async () => ({ id: 'first' }),
    closePointInTime: async ({ id }: { id: string }) => closed.push(id),
    search: async (request: (typeof requests)[number]) => {
      requests.push(request)
      const from = request.from ?? (request.search_after ? Number(request.search_after[1]) + 1 : 0)
      const ids = Array.from({ length: count }, (_, i) => String(i)).slice(from, from + request.size)
      return {
        pit_id: 'next',
        hits: { total: { value: count }, hits: ids.map((_id) => ({ _id, sort: [2 ** 63, _id] })) },
      }
    },
  } as unknown as Client
  return { client, requests, closed }
}

const ask = (client: Client, part: { limit: number; offset: number; countAtMost?: number }) =>
  findIds(client, {
    index: 'documents',
    plan: { query: { match_all: {} }, sort: [] },
    part,
    timeoutMs: 1,
    window: 10,
  })

test('a part within the window is one search', async () => {
  const { client, requests } = clientOf(25)
  expect(await ask(client, { limit: 3, offset: 2, countAtMost: 4 })).toEqual({
    ids: ['2', '3', '4'],
    total: 5,
  })
  expect(requests).toMatchObject([{ from: 2, size: 3, track_total_hits: 5 }])
})

test.each([
  [{ limit: 8, offset: 12 }, 2, ['12', '13', '14', '15', '16', '17', '18', '19']],
  [{ limit: 1_000, offset: 23 }, 3, ['23', '24']],
  [{ limit: 10, offset: 40 }, 3, []],
])('a part beyond it, %j, is walked to in %i searches', async (part, searches, ids) => {
  const { client, requests, closed } = clientOf(25)
  expect(await ask(client, part)).toEqual({ ids, total: 25 })
  expect(requests).toHaveLength(searches)
  expect(requests.map((request) => request.track_total_hits)).toEqual([
    true,
    ...requests.slice(1).map(() => false),
  ])
  expect(requests[1]?.search_after).toEqual(['9223372036854775807', '9'])
  expect(closed).toEqual(['next'])
})
