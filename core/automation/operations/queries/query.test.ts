import { describe, expect, it } from 'vitest'
import { principalOf } from '../../../access/security/index.js'
import type { Session } from '../../../content/documents/index.js'
import type { QueryBackend } from '../../../content/stores/index.js'
import { parseNxql } from '../../../model/nxql/index.js'
import { sampleModel } from '../../../model/nxql/model.fixture.js'
import type { DocumentRecord } from '../../../model/properties/index.js'
import { MAX_FLOWING, runQuery } from './query.js'

/** A session on a repository in which every query finds so many documents. */
const sessionWith = (matches: number): Session => {
  const some = (count: number) => Array.from({ length: count }, (_, i) => ({ id: String(i) }))
  const queries: Pick<QueryBackend, 'query' | 'ids'> = {
    query: async (_query, _scope, { limit, countAtMost = matches }) => ({
      entries: some(Math.min(limit, matches)) as DocumentRecord[],
      total: Math.min(matches, countAtMost + 1),
    }),
    ids: async (_query, _scope, limit) => some(Math.min(limit, matches)).map(({ id }) => id),
  }
  const principal = principalOf('Administrator', [], true)
  return {
    model: sampleModel(),
    principal,
    now: new Date(),
    permissions: { policies: [] },
    stores: { queries },
  } as unknown as Session
}

const found = (matches: number, maxResults?: number) =>
  runQuery(sessionWith(matches), parseNxql('SELECT * FROM Document'), {
    pageSize: undefined,
    currentPageIndex: undefined,
    maxResults,
  })

describe('what flows on from a query', () => {
  it.each<[number, number | undefined, number, number]>([
    [0, undefined, 0, 0],
    [3, undefined, 3, 3],
    [3, 2, 2, -2],
    [3, 3, 3, 3],
    [1_500, 1_200, 1_200, -2],
    [1_500, 1_500, 1_500, 1_500],
    [1_500, 2_000, 1_500, 1_500],
    [MAX_FLOWING, undefined, MAX_FLOWING, MAX_FLOWING],
  ])('of %i matches, with maxResults %s: %i, counted %i', async (matches, maxResults, flowing, count) => {
    const value = await found(matches, maxResults)
    if (value.type !== 'documents') throw new Error(value.type)
    expect([value.ids.length, value.page?.resultsCount]).toEqual([flowing, count])
  })

  it.each([undefined, 2 * MAX_FLOWING])('more than can flow is refused with maxResults %s', async (most) => {
    await expect(found(MAX_FLOWING + 1, most)).rejects.toMatchObject({
      code: 'badRequest',
      message: expect.stringContaining('pageSize'),
    })
  })
})
