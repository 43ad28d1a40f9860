import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { DocumentRecord } from '../../model/properties/index.js'
import type { Session } from '../documents/index.js'
import { getCollectionsOf } from './membership.js'

const documents = Array.from({ length: 100 }, (_, index) => ({ id: String(index) }) as DocumentRecord)

/** A session whose looks at collections take so long. */
const looking = (name: string, ms: number) => {
  const seen = { running: 0, most: 0, ids: 0 }
  const holding = async (ids: readonly string[]) => {
    seen.most = Math.max(seen.most, ++seen.running)
    seen.ids += ids.length
    await pause(ms)
    seen.running -= 1
    return []
  }
  const stores = { collections: { holding }, documents: { briefly: async () => [] } }
  return { seen, session: { principal: { name }, stores } as unknown as Session }
}

test('a page is looked up in parts, one at a time for each user', async () => {
  const { session, seen } = looking('ann', 5)
  const pages = [1, 2, 3].map(() => getCollectionsOf(session, documents, { isWhole: false }))
  for (const found of await Promise.all(pages)) expect(found.get('7')).toEqual([])
  expect(seen).toEqual({ running: 0, most: 1, ids: 300 })
})

test('a page whose collections take seconds is refused, and no further part is looked up', async () => {
  const { session, seen } = looking('bob', 1_100)
  await expect(getCollectionsOf(session, documents, { isWhole: false })).rejects.toMatchObject({
    code: 'tooLarge',
    message: expect.stringContaining('smaller page'),
  })
  expect(seen.ids).toBeLessThan(50)
})
