import { expect, test } from 'vitest'
import { principalOf } from '../../../access/security/index.js'
import { memoryOpenRuns } from './memory-open-runs.fixture.js'
import { createRunQuota } from './quota.js'

const bench = (max: number) => {
  let time = 0
  let open: readonly string[] = []
  let ended: readonly string[] = []
  let lists = 0
  let isAway = false
  const store = memoryOpenRuns(() => time)
  const quotaOf = () =>
    createRunQuota({
      max,
      now: () => time,
      wait: async (milliseconds) => {
        time += milliseconds
      },
      onError: (error) => {
        throw error
      },
      store,
      runs: {
        list: async () => {
          lists++
          if (isAway) throw new Error('away')
          return [...open]
        },
        isOpen: async (runId) => !ended.includes(runId),
      },
    })
  const ann = principalOf('ann', [], false)
  const quota = quotaOf()
  return {
    enter: (id: string, at = quota) => at.enter(ann, id),
    leave: (id: string) => quota.leave(ann, id),
    pass: (milliseconds: number) => (time += milliseconds),
    /** What Temporal knows late: in its list, and of what has ended. */
    listed: (...runIds: string[]) => (open = runIds),
    end: (...runIds: string[]) => (ended = [...ended, ...runIds]),
    goAway: () => {
      isAway = true
    },
    lists: () => lists,
    quota,
    other: quotaOf(),
  }
}

test('runs that are waited for, one after the other, cost the engine nothing', async () => {
  const { enter, leave, lists } = bench(2)
  for (let index = 0; index < 100; index++) {
    await enter(`run-${index}`)
    leave(`run-${index}`)
  }
  expect(lists()).toBe(0)
})

test('what one process counts, another counts as well', async () => {
  const { enter, leave, other } = bench(2)
  await enter('a')
  await enter('b', other)
  await expect(enter('c', other)).rejects.toMatchObject({ code: 'tooManyRequests' })
  leave('a')
  await enter('c', other)
})

test('a user who has reached the limit is looked up again, four times a second at most', async () => {
  const { enter, pass, listed, lists } = bench(2)
  await enter('a')
  await enter('b')
  listed('a', 'b')
  pass(3_000)
  const begun = pass(0)
  for (let index = 0; index < 50; index++)
    await expect(enter('c')).rejects.toMatchObject({ code: 'tooManyRequests', retryAfter: 2 })
  expect(lists()).toBeLessThanOrEqual(1 + (pass(0) - begun) / 250)
  listed('b')
  await enter('c')
})

test('who asks at once is looked up once', async () => {
  const { enter, lists } = bench(5)
  const asked = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => enter(`run-${index}`)))
  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  expect(lists()).toBe(1)
})

test('what cannot be asked has not ended', async () => {
  const { enter, pass, goAway } = bench(1)
  await enter('a')
  pass(3_000)
  goAway()
  await expect(enter('b')).rejects.toMatchObject({ code: 'tooManyRequests' })
})

test('a run that does not begin is taken back, unless it was counted before', async () => {
  const { enter } = bench(1)
  const takeBack = await enter('a')
  ;(await enter('a'))()
  await expect(enter('b')).rejects.toMatchObject({ code: 'tooManyRequests' })
  takeBack()
  await enter('b')
})

test('administrators are never counted', async () => {
  const { quota, lists } = bench(1)
  for (let index = 0; index < 5; index++) await quota.enter(principalOf('root', [], true), `run-${index}`)
  expect(lists()).toBe(0)
})

test('runs that nobody waits for leave the quota as soon as they have ended, whatever is listed', async () => {
  const { enter, end, listed, pass } = bench(5)
  for (let index = 0; index < 30; index++) {
    await enter(`run-${index}`)
    listed(...Array.from({ length: Math.min(index + 1, 5) }, (_, back) => `run-${index - back}`))
    end(`run-${index}`)
    pass(100)
  }
})

test('runs that were never started are forgotten', async () => {
  const { enter, pass } = bench(1)
  await enter('a')
  await expect(enter('b')).rejects.toMatchObject({ code: 'tooManyRequests' })
  pass(2_000)
  await enter('b')
})
