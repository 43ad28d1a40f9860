import { expect, test, vi } from 'vitest'
import { createExpander, type ReferenceContext } from './registry.js'

/** Users who are all there, and how many were looked for at the same time. */
const context = () => {
  let under = 0
  let most = 0
  const user = vi.fn(async (username: string) => {
    most = Math.max(most, ++under)
    await new Promise((resolve) => setImmediate(resolve))
    under--
    return { username, groups: [], properties: {} }
  })
  const identities = {
    user,
    group: async () => undefined,
    memberships: async () => [],
    groupsOfUsers: async () => new Map(),
  }
  return { user, most: () => most, context: { session: { identities } } as unknown as ReferenceContext }
}

test('a reference is looked up once, a few at the same time, and not beyond two thousand', async () => {
  const { user, most, context: given } = context()
  const expand = createExpander(given)
  const names = Array.from({ length: 3_000 }, (_, index) => `user${index % 2_500}`)
  const found = await Promise.allSettled(names.map((name) => expand(name, { kind: 'user' } as never)))
  expect(user).toHaveBeenCalledTimes(2_000)
  expect(most()).toBe(4)
  expect(found[2_400]).toEqual({ status: 'fulfilled', value: undefined })
})
