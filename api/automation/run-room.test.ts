import { expect, test } from 'vitest'
import { principalOf } from '../../core/security/index.js'
import { createRunRoom } from './run-room.js'

const bench = (most: number) => {
  let time = 0
  let open = 0
  let counts = 0
  const room = createRunRoom({
    most,
    now: () => time,
    count: async () => {
      counts++
      return open
    },
  })
  const ann = principalOf('ann', [], false)
  return {
    enter: (id: string) => room.enter(ann, id),
    leave: (id: string) => room.leave(ann, id),
    pass: (milliseconds: number) => (time += milliseconds),
    tell: (count: number) => (open = count),
    counts: () => counts,
    room,
  }
}

test('runs that are waited for, one after the other, are counted once', async () => {
  const { enter, leave, counts } = bench(2)
  for (let index = 0; index < 100; index++) {
    await enter(`run-${index}`)
    leave(`run-${index}`)
  }
  expect(counts()).toBe(1)
})

test('a user who has reached the limit is counted again, four times a second at most', async () => {
  const { enter, pass, tell, counts } = bench(2)
  await enter('a')
  await enter('b')
  tell(2)
  pass(3_000)
  for (let index = 0; index < 50; index++)
    await expect(enter('c')).rejects.toMatchObject({ code: 'tooManyRequests', retryAfter: 2 })
  expect(counts()).toBe(2)
  tell(1)
  pass(250)
  await enter('c')
  expect(counts()).toBe(3)
})

test('who asks at once is counted once', async () => {
  const { enter, counts } = bench(5)
  const asked = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => enter(`run-${index}`)))
  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  expect(counts()).toBe(1)
})

test('what cannot be counted holds nobody up', async () => {
  const room = createRunRoom({ most: 1, count: () => Promise.reject(new Error('away')), now: () => 0 })
  await room.enter(principalOf('ann', [], false), 'a')
})

test('administrators are never counted', async () => {
  const { room, counts } = bench(1)
  for (let index = 0; index < 5; index++) await room.enter(principalOf('root', [], true), `run-${index}`)
  expect(counts()).toBe(0)
})
