import { expect, test } from 'vitest'
import { principalOf } from '../../../access/security/index.js'
import { createRunQuota } from './quota.js'

const bench = (max: number) => {
  let time = 0
  let open: readonly string[] = []
  let ended: readonly string[] = []
  let lists = 0
  const quota = createRunQuota({
    max,
    now: () => time,
    runs: {
      list: async () => {
        lists++
        return [...open]
      },
      isOpen: async (runId) => !ended.includes(runId),
    },
  })
  const ann = principalOf('ann', [], false)
  return {
    enter: (id: string) => quota.enter(ann, id),
    leave: (id: string) => quota.leave(ann, id),
    pass: (milliseconds: number) => (time += milliseconds),
    /** What Temporal knows late: in its list, and of what has ended. */
    listed: (...runIds: string[]) => (open = runIds),
    end: (...runIds: string[]) => (ended = [...ended, ...runIds]),
    lists: () => lists,
    quota,
  }
}

test('runs that are waited for, one after the other, are looked for once', async () => {
  const { enter, leave, lists } = bench(2)
  for (let index = 0; index < 100; index++) {
    await enter(`run-${index}`)
    leave(`run-${index}`)
  }
  expect(lists()).toBe(1)
})

test('a user who has reached the limit is looked up again, four times a second at most', async () => {
  const { enter, pass, listed, lists } = bench(2)
  await enter('a')
  await enter('b')
  listed('a', 'b')
  pass(3_000)
  for (let index = 0; index < 50; index++)
    await expect(enter('c')).rejects.toMatchObject({ code: 'tooManyRequests', retryAfter: 2 })
  expect(lists()).toBe(2)
  listed('b')
  pass(250)
  await enter('c')
  expect(lists()).toBe(3)
})

test('who asks at once is looked up once', async () => {
  const { enter, lists } = bench(5)
  const asked = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => enter(`run-${index}`)))
  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  expect(lists()).toBe(1)
})

test('runs that cannot be asked hold nobody up', async () => {
  const away = () => Promise.reject(new Error('away'))
  const quota = createRunQuota({ max: 1, runs: { list: away, isOpen: away } })
  await quota.enter(principalOf('ann', [], false), 'a')
})

test('administrators are never looked up', async () => {
  const { quota, lists } = bench(1)
  for (let index = 0; index < 5; index++) await quota.enter(principalOf('root', [], true), `run-${index}`)
  expect(lists()).toBe(0)
})

test('runs that nobody waits for leave the quota as soon as they have ended, whatever is listed', async () => {
  const { enter, end, listed } = bench(5)
  for (let index = 0; index < 30; index++) {
    await enter(`run-${index}`)
    listed(...Array.from({ length: Math.min(index + 1, 5) }, (_, back) => `run-${index - back}`))
    end(`run-${index}`)
  }
})

test('runs that have begun a moment ago count once, listed or not', async () => {
  const { enter, listed, pass } = bench(4)
  await enter('a')
  await enter('b')
  listed('a', 'b', 'elsewhere')
  await enter('c')
  await enter('d')
  await expect(enter('e')).rejects.toMatchObject({ code: 'tooManyRequests' })
  listed('a', 'b')
  pass(250)
  await expect(enter('e')).rejects.toMatchObject({ code: 'tooManyRequests' })
  pass(2_000)
  await enter('e')
})
