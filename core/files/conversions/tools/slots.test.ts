import { expect, test } from 'vitest'
import { createSlots } from './slots.js'

const isPending = async (promise: Promise<unknown>) =>
  (await Promise.race([promise, Promise.resolve('pending')])) === 'pending'

test('lets so many in and the others in order', async () => {
  const slots = createSlots(2)
  const [first, second] = await Promise.all([slots.acquire(), slots.acquire()])
  const entered: string[] = []
  const third = slots.acquire().then((release) => entered.push('third') && release)
  const fourth = slots.acquire().then((release) => entered.push('fourth') && release)
  expect(await isPending(third)).toBe(true)
  first!()
  await third
  expect(entered).toEqual(['third'])
  second!()
  await fourth
  expect(entered).toEqual(['third', 'fourth'])
})

test('a slot freed twice is one slot', async () => {
  const slots = createSlots(1)
  const release = await slots.acquire()
  release()
  release()
  await slots.acquire()
  expect(await isPending(slots.acquire())).toBe(true)
})

test('an abort leaves the queue and takes no slot', async () => {
  const slots = createSlots(1)
  const release = await slots.acquire()
  const controller = new AbortController()
  const waiting = slots.acquire({ signal: controller.signal })
  const next = slots.acquire()
  controller.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  release()
  expect(await next).toBeTypeOf('function')
  await expect(slots.acquire({ signal: AbortSignal.abort(new Error('late')) })).rejects.toThrow('late')
})

const user = (name: string, isAdministrator = false) => ({ owner: { name, isAdministrator } })

test('a user has half of the slots, and one at least; administrators have all', async () => {
  const slots = createSlots(4)
  const [first] = await Promise.all([slots.acquire(user('ann')), slots.acquire(user('ann'))])
  const third = slots.acquire(user('ann'))
  expect(await isPending(third)).toBe(true)
  await Promise.all([slots.acquire(user('root', true)), slots.acquire(user('bob'))])
  first?.()
  await third
  const single = createSlots(1)
  await single.acquire(user('ann'))
  const administrated = createSlots(3)
  for (let taken = 0; taken < 3; taken++) await administrated.acquire(user('root', true))
})

test('users who wait take turns, and whoever has gone is passed over', async () => {
  const slots = createSlots(1)
  let release = await slots.acquire(user('ann'))
  const gone = new AbortController()
  const order: string[] = []
  const ends = ['ann', 'ann', 'ann', 'bob', 'bob', 'eve'].map((name) =>
    slots.acquire({ ...user(name), ...(name === 'eve' && { signal: gone.signal }) }).then((next) => {
      order.push(name)
      release = next
    }),
  )
  gone.abort(new Error('gone'))
  await expect(ends[5]).rejects.toThrow('gone')
  for (let turn = 0; turn < 5; turn++) {
    release()
    await expect.poll(() => order.length).toBe(turn + 1)
  }
  expect(order).toEqual(['ann', 'bob', 'ann', 'bob', 'ann'])
})
