import { expect, test } from 'vitest'
import { principalOf } from '../core/access/security/index.js'
import { createShares } from './sharing.js'

const [ann, bob, root] = ['ann', 'bob', 'root'].map((name) => principalOf(name, [], name === 'root'))

test('one user has a few queries under way, however many connections are free', async () => {
  const shares = createShares({ places: 20, waitTimeoutMs: 20 })
  const ends: (() => void)[] = []
  const work = () => new Promise<void>((resolve) => ends.push(resolve))
  const running = Array.from({ length: 3 }, () => shares.queries(ann!, work))
  await expect(shares.queries(ann!, work)).rejects.toMatchObject({
    code: 'tooManyRequests',
    message: expect.stringContaining('ann has reached the limit of concurrent queries'),
  })
  running.push(shares.queries(bob!, work), shares.queries(root!, work))
  running.push(...Array.from({ length: 10 }, () => shares.transactions(ann!, work)))
  await expect.poll(() => ends).toHaveLength(15)
  for (const end of ends) end()
  await Promise.all(running)
})
